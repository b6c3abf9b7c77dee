/** The actor behind a request. Read from the session's row every time, never from the cookie. */
import 'server-only'
import { RequestCookies } from '@edge-runtime/cookies'
import { headers } from 'next/headers'
import { redirect } from 'next/navigation'
import { cache } from 'react'
import { askedPageHeader, signInAddress } from '@/lib/portal/base/request/return-path'
import type { Role } from '@/prisma/generated/portal/client'
import { openSidAmong, readSid } from './cookie'
import { hasEnded } from './membership'
import { type Preferences, preferencesOf } from './preferences'
import { type EvenOver, findSession, isIdle, touchSession } from './session'
import { requiresSingleSignOn } from './single-sign-on/required'

export type { Role }

/** Common to all actors: the team, and the role that decides what they may do there. */
type Member = { team: { id: string; name: string }; role: Role }

/** A signed-in user. Code that needs a session, personal connections or a password takes this type. */
export type Person = Member & {
  kind: 'user'
  user: { id: string; name: string; email: string }
  preferences: Preferences
  sessionId: string
  /** When the user last confirmed who they are. */
  stepUpAt: Date
}

/** A team's API token for programs. Does not exist yet. */
export type TokenActor = Member & { kind: 'token'; token: { id: string; name: string } }

/** Gatehouse itself. Does not exist yet: its own calls use lib/portal/upstream/unattended.ts. */
export type SystemActor = Member & { kind: 'system' }

export type Actor = Person | TokenActor | SystemActor

type FoundSession = NonNullable<Awaited<ReturnType<typeof findSession>>>

/** Null for whoever memberOf refuses, and for a session that still awaits a second factor. */
function actorOf(session: FoundSession | null): Person | null {
  return session && session.awaits === null ? memberOf(session) : null
}

/**
 * The user of a session, whatever it awaits. Null for a disabled user, for one whose membership of the session's team has ended, and for one
 * who has to use single sign-on and did not.
 */
function memberOf(session: FoundSession): Person | null {
  if (session.user.disabledAt) return null
  const membership = session.user.memberships.find(({ teamId }) => teamId === session.teamId)
  if (!membership || hasEnded(membership)) return null
  const { role } = membership
  if (session.via !== 'singleSignOn' && requiresSingleSignOn({ role, team: session.team })) return null
  const { id, name, email } = session.user
  const preferences = preferencesOf(session.user)
  return {
    kind: 'user',
    user: { id, name, email },
    team: { id: session.team.id, name: session.team.name },
    role,
    preferences,
    sessionId: session.id,
    stepUpAt: session.stepUpAt,
  }
}

const findSessionOf = async (sid: string | null): Promise<FoundSession | null> => (sid === null ? null : findSession({ sid }))

/** For pages and actions: the signed-in user, or null. Counts as activity, so it postpones the idle timeout. */
export const findActor = cache(async (): Promise<Person | null> => {
  const session = await findSessionOf(await readSid())
  const actor = actorOf(session)
  if (actor && session) touchSession(session)
  return actor
})

/**
 * For the page Sign in: the minutes without activity after which the session of this cookie ended. Null if it ended otherwise, or nobody
 * was signed in: only the browser that holds the session's id learns it.
 */
export const findIdleEnd = async (): Promise<number | null> => idleEndOf(await readSid())

export async function idleEndOf(sid: string | null): Promise<number | null> {
  const session = sid === null ? null : await findSession({ sid }, { evenIdle: true })
  return session && isIdle(session) && actorOf(session) ? session.team.idleMinutes : null
}

/** The signed-in user for streams and reads that a page repeats, which do not count as activity: an unattended tab does not stay signed in. */
export async function findPollingActor(request: Request): Promise<Person | null> {
  return actorOf(await findSessionOf(await openSidAmong(new RequestCookies(request.headers))))
}

/** For pages: the signed-in user; otherwise redirects to the sign-in page, which returns to this one. */
export async function requireActor(): Promise<Person> {
  return (await findActor()) ?? redirect(signInAddress((await headers()).get(askedPageHeader)))
}

/** Checks again whether a session is valid, bypassing every cache: for open streams, and just before an upstream call. */
export async function recheckActor(sessionId: string): Promise<Person | null> {
  return actorOf(await findSession({ id: sessionId }))
}

/** The same; null also if the session is another user's or another team's by now. even: while something that was begun still runs. */
export async function recheckSame(
  { sessionId, user, team }: Pick<Person, 'sessionId'> & { user: { id: string }; team: { id: string } },
  even: EvenOver = {},
): Promise<Person | null> {
  const now = actorOf(await findSession({ id: sessionId }, even))
  return now?.user.id === user.id && now.team.id === team.id ? now : null
}

/** The same for a change of the user's own ways in, which a session that awaits a second factor makes too when it sets one up. */
export async function recheckOwner(sessionId: string): Promise<Person | null> {
  const session = await findSession({ id: sessionId })
  return actorOf(session) ?? awaitingOf(session)?.person ?? null
}

/** The user of a session id that does not come from this request's cookies. */
export async function findActorBySid(sid: string): Promise<Person | null> {
  return actorOf(await findSession({ sid }))
}

/** The password was entered, the second factor was not. Such a session may do nothing else, and only for 10 minutes. */
export type Awaiting = { person: Person; awaits: NonNullable<FoundSession['awaits']> }

const awaitsForMs = 10 * 60_000

function awaitingOf(session: FoundSession | null): Awaiting | null {
  if (!session || session.awaits === null || Date.now() - session.stepUpAt.getTime() > awaitsForMs) return null
  const person = memberOf(session)
  return person && { person, awaits: session.awaits }
}

/** For the sign-in page and its actions: who has entered only their password so far. */
export const findAwaiting = async (): Promise<Awaiting | null> => awaitingOf(await findSessionOf(await readSid()))

/** The same for a session id that no cookie contains yet. */
export const findAwaitingBySid = async (sid: string): Promise<Awaiting | null> => awaitingOf(await findSession({ sid }))

/** Whether a session id belongs to a signed-in user, or to one whose second factor is awaited. */
export async function isLiveSid(sid: string): Promise<boolean> {
  const session = await findSession({ sid })
  return (actorOf(session) ?? awaitingOf(session)) !== null
}
