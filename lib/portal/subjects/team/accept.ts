/** Accepts an invitation: its link makes the holder of the address a member. */
import 'server-only'
import { type Outcome, type Problem, problem } from '@/lib/contract/problem'
import { db } from '@/lib/portal/base/db'
import type { Device } from '@/lib/portal/base/request/device'
import type { Person } from '@/lib/portal/identity/actor'
import { refuseName } from '@/lib/portal/identity/name'
import { hashPassword, unlessBusy, verifyPassword } from '@/lib/portal/identity/password'
import { refusePassword } from '@/lib/portal/identity/password-rules'
import { moveSession } from '@/lib/portal/identity/session'
import { recordSignIn } from '@/lib/portal/identity/sign-in'
import { logSignIn } from '@/lib/portal/identity/sign-in-log'
import { countTry, findSource, forgiveTry } from '@/lib/portal/identity/throttle'
import { createRowId, hashToken, isToken } from '@/lib/portal/identity/token'
import type { Invitation } from '@/prisma/generated/portal/client'
import { recordAcceptance } from './acceptance'
import { type Joining, join } from './join'

/** account: of that address; `passwordless` if it is signed in to in another way only. */
export type ShownInvitation = {
  email: string
  role: Invitation['role']
  /** ISO; null: the membership has no end. */
  membershipEndsAt: string | null
  teamName: string
  invitedBy: string | null
  account: 'none' | 'password' | 'passwordless'
}

/** For the page of the link; null if the link cannot be used. Changes nothing. */
export async function findInvitation(token: unknown): Promise<ShownInvitation | null> {
  const found = await findUsable(token)
  if (!found) return null
  const { email, role, membershipEndsAt, team, invitedBy } = found
  const user = await findAccount(email)
  const account = user ? (user.passwordHash === null ? 'passwordless' : 'password') : 'none'
  const endsAt = membershipEndsAt?.toISOString() ?? null
  return { email, role, membershipEndsAt: endsAt, teamName: team.name, invitedBy: invitedBy?.name ?? null, account }
}

function findUsable(token: unknown) {
  if (!isToken(token)) return null
  return db().invitation.findFirst({
    where: { tokenHash: hashToken(token), acceptedAt: null, revokedAt: null, expiresAt: { gt: new Date() } },
    include: { team: true, invitedBy: { select: { name: true } } },
  })
}

const findAccount = (email: string) =>
  db().user.findUnique({ where: { email }, select: { id: true, name: true, passwordHash: true, disabledAt: true } })

const closed = (): Problem => problem('not_found', { sentence: 'This invitation was used, has expired or was revoked. Ask for a new one.' })

/** name: only for a new account. password: the account's, or the one to set. */
export type Acceptance = { name: string; password: string }

/**
 * Uses the link: of simultaneous attempts one succeeds. Address, role and team come from the stored invitation. Does not sign in; returns
 * the address to do so with.
 */
export async function acceptInvitation(
  token: string,
  given: Acceptance,
  device: Device,
  deviceToken: string | null,
): Promise<Outcome<{ email: string }>> {
  const invitation = await findUsable(token)
  if (!invitation) return { ok: false, problem: closed() }
  const { email, teamId } = invitation
  const account = await findAccount(email)
  const joining = account
    ? await proveAccount(account, { email, teamId, password: given.password }, device, deviceToken)
    : await prepareAccount(email, given)
  if (!joining.ok) return joining
  const joined = await use(token, invitation, { ...joining.data, name: account?.name ?? given.name.trim() }, device)
  return joined ? { ok: true, data: { email } } : { ok: false, problem: closed() }
}

/** The same for somebody who is signed in with the invited address: that session continues in the new team, under a new id. */
export async function joinSignedIn(token: string, { user, sessionId }: Person, device: Device): Promise<Outcome<{ sid: string }>> {
  const invitation = await findUsable(token)
  if (!invitation) return { ok: false, problem: closed() }
  if (invitation.email !== user.email)
    return { ok: false, problem: problem('forbidden', { sentence: 'This invitation is for another address.' }) }
  if (!(await use(token, invitation, { userId: user.id, account: null, name: user.name }, device))) return { ok: false, problem: closed() }
  const sid = await moveSession(sessionId, { userId: user.id, teamId: invitation.teamId })
  return sid === null ? { ok: false, problem: problem('signed_out') } : { ok: true, data: { sid } }
}

function use(token: string, invitation: Invitation, { name, ...joining }: Joining & { name: string }, device: Device): Promise<boolean> {
  const about = { peer: device.peer, userAgent: device.userAgent }
  return recordAcceptance(invitation, { userId: joining.userId, name }, about, () => join(token, joining))
}

type Account = NonNullable<Awaited<ReturnType<typeof findAccount>>>

type Given = { email: string; teamId: string; password: string }

/** Checks the existing account's password; counted, throttled and logged like a sign-in. */
async function proveAccount(account: Account, given: Given, device: Device, deviceToken: string | null): Promise<Outcome<Joining>> {
  const proven = await checkAccount(account, given, device, deviceToken)
  if (!proven.ok) logSignIn(proven, given.email, device)
  return proven
}

async function checkAccount(account: Account, { email, teamId, password }: Given, device: Device, deviceToken: string | null) {
  const source = await findSource(email, device.peer, deviceToken)
  const waiting = await countTry(email, source)
  if (waiting) return { ok: false, problem: waiting } as const
  const matches = await unlessBusy(verifyPassword(account.passwordHash, password))
  if (!matches.ok) return matches
  if (!matches.data || account.disabledAt) {
    await recordSignIn(account.id, teamId, device, 'failed')
    return { ok: false, problem: problem('invalid', { fields: { password: 'Wrong password.' } }) } as const
  }
  await forgiveTry(email, source)
  return { ok: true, data: { userId: account.id, account: null } } as const
}

async function prepareAccount(email: string, { name, password }: Acceptance): Promise<Outcome<Joining>> {
  const [nameRefusal, passwordRefusal] = [refuseName(name), refusePassword(password, [name, email])]
  if (nameRefusal || passwordRefusal) {
    const fields = { ...(nameRefusal && { name: nameRefusal }), ...(passwordRefusal && { password: passwordRefusal }) }
    return { ok: false, problem: problem('invalid', { fields }) }
  }
  const hashed = await unlessBusy(hashPassword(password))
  if (!hashed.ok) return hashed
  return { ok: true, data: { userId: createRowId(), account: { name: name.trim(), passwordHash: hashed.data } } }
}
