/** One-time links. Opening one changes nothing; using it is one statement that succeeds only once. */
import 'server-only'
import { db } from '@/lib/portal/base/db'
import { getSettings } from '@/lib/settings/settings'
import type { LinkPurpose, OneTimeLink, Prisma } from '@/prisma/generated/portal/client'
import { createRowId, createToken, hashToken, isToken } from './token'

const lifeMs: Record<LinkPurpose, number> = { setup: 24 * 60 * 60_000, recover: 60 * 60_000 }

/** Creates a link and invalidates the unused ones it replaces. Returns its URL, the only place where the token is not hashed. */
export async function createLink(purpose: LinkPurpose, userId: string | null): Promise<string> {
  const token = createToken()
  const expiresAt = new Date(Date.now() + lifeMs[purpose])
  await db().$transaction([
    db().oneTimeLink.deleteMany({ where: { purpose, userId, usedAt: null } }),
    db().oneTimeLink.create({ data: { id: createRowId(), purpose, userId, tokenHash: hashToken(token), expiresAt } }),
  ])
  const url = new URL(purpose === 'setup' ? '/setup' : '/recover', getSettings().publicUrl)
  url.searchParams.set('token', token)
  return url.href
}

const usable = (purpose: LinkPurpose, token: string) => ({
  purpose,
  tokenHash: hashToken(token),
  usedAt: null,
  expiresAt: { gt: new Date() },
})

/** The link of a token if it is unused and valid, else null. Changes nothing. */
export async function findLink(purpose: LinkPurpose, token: unknown): Promise<OneTimeLink | null> {
  return isToken(token) ? db().oneTimeLink.findFirst({ where: usable(purpose, token) }) : null
}

/** Uses the link: true for exactly one caller. Must come first in the transaction of whatever the link permits. */
export async function takeLink(purpose: LinkPurpose, token: string, client: Prisma.TransactionClient): Promise<boolean> {
  const { count } = await client.oneTimeLink.updateMany({ where: usable(purpose, token), data: { usedAt: new Date() } })
  return count === 1
}
