/** A browser's session as a database row: its validity and its end. */
import 'server-only'
import { cachedUntilWrite } from '@/lib/portal/base/cached-until-write'
import { db } from '@/lib/portal/base/db'
import type { Device } from '@/lib/portal/base/request/device'
import { writeAside } from '@/lib/portal/base/write-aside'
import { Prisma, type SignInMethod } from '@/prisma/generated/portal/client'
import { findAwaited } from './second-factor/awaited'
import { createRowId, createToken, hashToken } from './token'

const minuteMs = 60_000
export const absoluteMs = 12 * 60 * 60_000
const touchEveryMs = 60_000

/**
 * Starts a session with a new random id and returns that id; only its hash is stored. It may still await a second factor, unless
 * `bothFactors` were proven already. provenAt: when its user did so, if not now; a second factor proven later counts as a new proof.
 */
export async function openSession(
  who: { userId: string; teamId: string },
  device: Device,
  via: SignInMethod = 'password',
  { bothFactors = via === 'passkey', provenAt }: { bothFactors?: boolean; provenAt?: Date } = {},
): Promise<string> {
  const sid = createToken()
  const awaits = bothFactors ? null : await findAwaited(who)
  const now = new Date()
  await db().session.create({
    data: {
      id: createRowId(),
      sidHash: hashToken(sid),
      ...who,
      via,
      awaits,
      createdAt: now,
      seenAt: now,
      stepUpAt: awaits === null && provenAt ? provenAt : now,
      expiresAt: new Date(now.getTime() + absoluteMs),
      userAgent: device.userAgent,
      peer: device.peer,
    },
  })
  return sid
}

/** Sessions that were neither revoked nor have expired; they may be idle for too long. */
export const openSessions = (): Prisma.SessionWhereInput => ({ revokedAt: null, expiresAt: { gt: new Date() } })

/** Whether a session was without activity for longer than its team allows. */
export const isIdle = ({ seenAt, team }: { seenAt: Date; team: { idleMinutes: number } }): boolean =>
  seenAt.getTime() + team.idleMinutes * minuteMs <= Date.now()

/** For findSession: sessions that are over, but whose user has not taken back what was begun in them. */
export type EvenOver = {
  /** Idle for too long. */
  evenIdle?: boolean
  /** Also expired, or signed out by its own browser. */
  evenSignedOut?: boolean
}

/** The session with its user; null if it does not exist, was revoked, has expired or was idle too long, but for what `even` names. */
export async function findSession(where: { sid: string } | { id: string }, { evenIdle = false, evenSignedOut = false }: EvenOver = {}) {
  const unique = 'sid' in where ? { sidHash: hashToken(where.sid) } : where
  const session = await cachedUntilWrite(`session ${JSON.stringify(unique)}`, () => readSession(unique))
  if (!session) return null
  if (evenSignedOut) return session.revokedAt === null || session.signedOut ? session : null
  if (session.revokedAt || session.expiresAt.getTime() <= Date.now()) return null
  return evenIdle || !isIdle(session) ? session : null
}

const querySession = (where: { sidHash: string } | { id: string }) =>
  db().session.findUnique({
    where,
    select: {
      id: true,
      teamId: true,
      seenAt: true,
      stepUpAt: true,
      expiresAt: true,
      revokedAt: true,
      signedOut: true,
      awaits: true,
      via: true,
      user: {
        select: { id: true, name: true, email: true, theme: true, density: true, timeZone: true, disabledAt: true, memberships: true },
      },
      team: { select: { id: true, name: true, requiresSingleSignOn: true, idleMinutes: true } },
    },
  })

// Prisma's error code for a value outside an enum of the schema.
const unknownValue = 'P2023'

/** Only a manual edit of the database can set an unknown role; its user is treated as signed out. */
async function readSession(where: { sidHash: string } | { id: string }): Promise<Awaited<ReturnType<typeof querySession>>> {
  try {
    return await querySession(where)
  } catch (error) {
    if (error instanceof Prisma.PrismaClientKnownRequestError && error.code === unknownValue) return null
    throw error
  }
}

/** Postpones the idle timeout. Writes at most once per minute and session; the request does not wait for it. */
export function touchSession(session: { id: string; seenAt: Date }): void {
  const now = Date.now()
  if (now - session.seenAt.getTime() < touchEveryMs) return
  writeAside(`session ${session.id}`, () =>
    db().session.updateMany({ where: { id: session.id, revokedAt: null }, data: { seenAt: new Date(now) } }),
  )
}

/** Ends one session, at the wish of its own browser. Returns its owner; null if it had already ended. */
export async function endSession(sid: string): Promise<{ id: string; userId: string; teamId: string } | null> {
  const sidHash = hashToken(sid)
  const data = { revokedAt: new Date(), signedOut: true }
  const { count } = await db().session.updateMany({ where: { sidHash, revokedAt: null }, data })
  if (count === 0) return null
  return db().session.findUnique({ where: { sidHash }, select: { id: true, userId: true, teamId: true } })
}

/**
 * Marks the user as just signed in: the session continues under a new random id (null if it has ended meanwhile). Its absolute expiry
 * does not change.
 */
export const renewSession = (id: string, client: Prisma.TransactionClient = db()): Promise<string | null> =>
  replaceSid(id, client, { stepUpAt: new Date() })

/** The session continues under a new random id, with no fresh proof of who its user is. Null if it has ended meanwhile. */
export async function replaceSid(
  id: string,
  client: Prisma.TransactionClient,
  more: Prisma.SessionUpdateManyMutationInput = {},
): Promise<string | null> {
  const sid = createToken()
  const { count } = await client.session.updateMany({ where: { id, revokedAt: null }, data: { ...more, sidHash: hashToken(sid) } })
  return count === 1 ? sid : null
}

/**
 * The second factor was proven: the session awaits nothing any more and continues under a new random id. Null if it has ended meanwhile, or
 * another request was first.
 */
export async function completeSession(id: string): Promise<string | null> {
  const sid = createToken()
  const now = new Date()
  const data = { sidHash: hashToken(sid), awaits: null, stepUpAt: now, seenAt: now }
  const { count } = await db().session.updateMany({ where: { id, revokedAt: null, awaits: { not: null } }, data })
  return count === 1 ? sid : null
}

/** Another team's from now on, and not signed in there before a second factor is set up, if that team requires one. Null if it has ended. */
export async function moveSession(id: string, who: { userId: string; teamId: string }): Promise<string | null> {
  const sid = createToken()
  const awaits = (await findAwaited(who)) === 'secondFactorSetup' ? 'secondFactorSetup' : null
  const where = { id, userId: who.userId, revokedAt: null, awaits: null }
  const { count } = await db().session.updateMany({ where, data: { teamId: who.teamId, sidHash: hashToken(sid), awaits } })
  return count === 1 ? sid : null
}

/** Ends all other sessions of a user, and what continues after their signing out. Returns how many sessions ended. */
export const endOtherSessions = ({ userId, keep }: { userId: string; keep: string }, client: Prisma.TransactionClient = db()) =>
  revoke({ userId, id: { not: keep } }, client)

/** Ends all sessions of a user, and what continues after their signing out, within the caller's transaction or on its own. */
export const endSessionsOf = (userId: string, client: Prisma.TransactionClient = db()) => revoke({ userId }, client)

async function revoke(where: Prisma.SessionWhereInput, client: Prisma.TransactionClient): Promise<{ count: number }> {
  await client.session.updateMany({ where: { ...where, signedOut: true }, data: { signedOut: false } })
  return client.session.updateMany({ where: { ...where, revokedAt: null }, data: { revokedAt: new Date() } })
}
