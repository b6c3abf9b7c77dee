/** Members for the bench. */
import { randomBytes } from 'node:crypto'
import { db } from '@/lib/portal/base/db'
import { hashPassword } from '@/lib/portal/identity/password'
import type { Estate } from '../browser/security/estate'

export const password = 'nine lanterns over the weir'

/** Adds users to the first team and returns their addresses. All share one hash, so that only signing in computes hashes. */
export async function addMembers({ teams }: Estate, count: number): Promise<string[]> {
  const passwordHash = await hashPassword(password)
  const emails = Array.from({ length: count }, (_, index) => `member-${index}@lanternworks.test`)
  for (const email of emails) {
    const memberships = { create: { teamId: teams.ours.id, role: 'operator' as const } }
    await db().user.create({ data: { id: randomBytes(16).toString('base64url'), email, name: email, passwordHash, memberships } })
  }
  return emails
}
