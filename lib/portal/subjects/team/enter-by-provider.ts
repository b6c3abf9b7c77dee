/** Whom a sign-in at the identity provider lets in: who is joined with it, or was invited, or confirms it with a fresh sign-in. */
import 'server-only'
import { log } from '@/lib/log'
import { recordAudit } from '@/lib/portal/audit/record'
import { db } from '@/lib/portal/base/db'
import type { Device } from '@/lib/portal/base/request/device'
import { findActorBySid } from '@/lib/portal/identity/actor'
import { lastingMemberships } from '@/lib/portal/identity/membership'
import { findAwaited } from '@/lib/portal/identity/second-factor/awaited'
import { endSession, openSession } from '@/lib/portal/identity/session'
import type { Claims } from '@/lib/portal/identity/single-sign-on/claims'
import { connectIdentity } from '@/lib/portal/identity/single-sign-on/identities'
import { acceptByProvider } from './accept-by-provider'
import { applyRole } from './role-by-claim'

/**
 * unknown: no active member and no invitation; absent, disabled, removed and ended are the same. unverified: the provider has not verified
 * the address. taken: the address's account is joined with another account at a provider. unproven: a second factor has to be set up, and
 * the provider may have let through whoever sits at this browser.
 */
export type EntryRefusal = 'unknown' | 'unverified' | 'taken' | 'unproven'

/** confirm: the account exists; a fresh sign-in to it must follow. */
export type Entry = { sid: string } | { refused: EntryRefusal } | { confirm: { userId: string; email: string } }

/** `carriedSid`: the browser's session, which the new one replaces. */
export async function enterByProvider(claims: Claims, device: Device, carriedSid: string | null): Promise<Entry> {
  const entry = await decide(claims, carriedSid)
  if ('refused' in entry) await recordRefusal(entry.refused, device)
  if (!('member' in entry)) return entry
  const { member } = entry
  // A provider lets people through silently, so only what it says about their last proof counts as one.
  const provenAt = claims.provenAt ?? new Date(0)
  if (!isFresh(provenAt) && (await findAwaited(member)) === 'secondFactorSetup') {
    await recordRefusal('unproven', device)
    return { refused: 'unproven' }
  }
  await applyRole(member, claims)
  await db().externalIdentity.updateMany({
    where: { issuer: claims.issuer, subject: claims.subject },
    data: { lastUsedAt: new Date() },
  })
  if (carriedSid !== null) await endSession(carriedSid)
  const sid = await openSession(member, device, 'singleSignOn', { provenAt })
  await recordSignIn(member, device)
  log.info({ peer: device.peer, userId: member.userId }, 'sign-in succeeded by single sign-on')
  return { sid }
}

type Member = { userId: string; teamId: string }

async function decide(claims: Claims, carriedSid: string | null): Promise<Exclude<Entry, { sid: string }> | { member: Member }> {
  const { issuer, subject, email } = claims
  const joined = await db().externalIdentity.findUnique({
    where: { issuer_subject: { issuer, subject } },
    include: { user: withMembership() },
  })
  if (joined) return memberOf(joined.user) ?? (await invited(claims, joined.user)) ?? unknown
  if (email === null) return { refused: 'unverified' }
  const account = await db().user.findUnique({ where: { email }, ...withMembership() })
  if (account && !account.disabledAt && account.externalIdentities.length > 0) return { refused: 'taken' }
  const accepted = await invited(claims, account)
  if (accepted) return accepted
  const known = account && memberOf(account)
  if (!known) return unknown
  return (await joinSignedIn(claims, known.member, carriedSid)) ?? { confirm: { userId: known.member.userId, email } }
}

const unknown = { refused: 'unknown' } as const

const withMembership = () =>
  ({
    select: {
      id: true,
      email: true,
      disabledAt: true,
      externalIdentities: { select: { issuer: true } },
      memberships: { where: lastingMemberships(), select: { teamId: true }, orderBy: { createdAt: 'asc' }, take: 1 },
    },
  }) as const

type Account = { id: string; email: string; disabledAt: Date | null; memberships: { teamId: string }[] }

function memberOf({ id, disabledAt, memberships }: Account): { member: Member } | null {
  const teamId = memberships[0]?.teamId
  return disabledAt || teamId === undefined ? null : { member: { userId: id, teamId } }
}

/** An open invitation to the address lets in, and is then used. */
async function invited(claims: Claims, account: Account | null): Promise<{ member: Member } | null> {
  const { email } = claims
  if (email === null || account?.disabledAt || (account && account.email !== email)) return null
  const member = await acceptByProvider({ ...claims, email }, account?.id ?? null)
  return member && { member }
}

const freshMs = 5 * 60_000

const isFresh = (provenAt: Date): boolean => Date.now() - provenAt.getTime() < freshMs

/** Somebody who connects the provider from the page Account has signed in to that account a moment ago. */
async function joinSignedIn({ issuer, subject, email }: Claims, member: Member, sid: string | null) {
  const actor = sid === null ? null : await findActorBySid(sid)
  if (actor?.user.id !== member.userId || !isFresh(actor.stepUpAt)) return null
  const joined = await connectIdentity({ issuer, subject, email: email ?? '', ...member, sessionId: actor.sessionId })
  return joined ? { member } : ({ refused: 'taken' } as const)
}

const recordRefusal = (reason: EntryRefusal, { peer, userAgent }: Device): Promise<void> => {
  log.info({ peer, reason }, 'sign-in failed by single sign-on')
  return recordAudit({
    teamId: null,
    actor: { kind: 'nobody' },
    action: 'session.signIn',
    object: { kind: 'user', id: null },
    stage: 'event',
    outcome: 'failed',
    detail: { peer, userAgent, reason, via: 'single sign-on' },
  })
}

const recordSignIn = ({ userId, teamId }: Member, { peer, userAgent }: Device): Promise<void> =>
  recordAudit({
    teamId,
    actor: { kind: 'user', id: userId, sessionId: null },
    action: 'session.signIn',
    object: { kind: 'user', id: userId },
    stage: 'event',
    outcome: 'done',
    detail: { peer, userAgent, via: 'single sign-on' },
  })
