/** People to test with: a team, and somebody in it whose password is known. */
import { db } from '@/lib/portal/base/db'
import type { Device } from '@/lib/portal/base/request/device'
import { hashPassword } from '@/lib/portal/identity/password'
import { openSession } from '@/lib/portal/identity/session'
import { createRowId } from '@/lib/portal/identity/token'
import type { Role } from '@/prisma/generated/portal/client'
import { giveEverything } from '@/tests/support/everything'

export const device: Device = { peer: '192.0.2.7', userAgent: 'a browser' }
export const password = 'Vier Reiher stehen im Teich'

let hash: Promise<string> | undefined

export type Person = { userId: string; teamId: string; email: string }

/** A new team with one member. */
export async function addPerson({ email = 'ada@example.org', role = 'owner' }: { email?: string; role?: Role } = {}): Promise<Person> {
  hash ??= hashPassword(password)
  const [userId, teamId] = [createRowId(), createRowId()]
  await db().team.create({ data: { id: teamId, name: 'Reiher' } })
  await db().user.create({
    data: { id: userId, email, name: 'Ada', passwordHash: await hash, memberships: { create: { teamId, role, ...giveEverything(role) } } },
  })
  return { userId, teamId, email }
}

/** Signs the person in without the sign-in page: the sid and its row's id. */
export async function openFor({ userId, teamId }: Person): Promise<{ sid: string; sessionId: string }> {
  const sid = await openSession({ userId, teamId }, device)
  const { id } = await db().session.findFirstOrThrow({ where: { userId }, orderBy: { createdAt: 'desc' } })
  return { sid, sessionId: id }
}
