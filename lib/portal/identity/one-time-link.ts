/** One-time links. Opening one changes nothing; using it is one statement that succeeds only once. */
import 'server-only'
import { type Problem, problem } from '@/lib/contract/problem'
import { db } from '@/lib/portal/base/db'
import { getSettings } from '@/lib/settings/settings'
import type { LinkPurpose, OneTimeLink, Prisma } from '@/prisma/generated/portal/client'
import { createRowId, createToken, hashToken, isToken } from './token'

const hour = 60 * 60_000
const lifeMs: Record<LinkPurpose, number> = { setup: 24 * hour, recover: hour, reset: hour, email: hour }

const places: Record<LinkPurpose, string> = { setup: '/setup', recover: '/recover', reset: '/recover', email: '/account/email' }

/** Creates a link and invalidates the unused ones it replaces. Returns its URL, the only place where the token is not hashed. */
export const createLink = (purpose: LinkPurpose, userId: string | null, more: LinkMore = {}): Promise<string> =>
  db().$transaction((tx) => storeLink(tx, purpose, userId, more))

/** approved: a second person approved that it is made. */
type LinkMore = { createdById?: string; email?: string; approved?: boolean }

/** Like createLink, within the caller's transaction. */
export async function storeLink(
  tx: Prisma.TransactionClient,
  purpose: LinkPurpose,
  userId: string | null,
  more: LinkMore,
): Promise<string> {
  const token = createToken()
  const expiresAt = new Date(Date.now() + lifeMs[purpose])
  await tx.oneTimeLink.deleteMany({ where: { purpose, userId, usedAt: null } })
  await tx.oneTimeLink.create({ data: { id: createRowId(), purpose, userId, ...more, tokenHash: hashToken(token), expiresAt } })
  const url = new URL(places[purpose], getSettings().publicUrl)
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

/** For whoever opens or uses a link that is not valid. */
export const linkClosed = (): Problem =>
  problem('not_found', { sentence: 'This link was used, has expired or was replaced. Ask for a new one.' })

/** Uses the link: true for exactly one caller. Must come first in the transaction of whatever the link permits. */
export async function takeLink(purpose: LinkPurpose, token: string, client: Prisma.TransactionClient): Promise<boolean> {
  const { count } = await client.oneTimeLink.updateMany({ where: usable(purpose, token), data: { usedAt: new Date() } })
  return count === 1
}

/** Invalidates the unused links of a user, because their password or address has changed. Within the caller's transaction. */
export async function dropLinks(userId: string, client: Prisma.TransactionClient): Promise<void> {
  await client.oneTimeLink.deleteMany({ where: { userId, usedAt: null } })
}

/** Invalidates the unused links that other members made for this one, and those that this one made for others. */
export async function dropMadeLinks(userId: string, client: Prisma.TransactionClient): Promise<void> {
  await client.oneTimeLink.deleteMany({ where: { usedAt: null, OR: [{ userId, createdById: { not: null } }, { createdById: userId }] } })
}
