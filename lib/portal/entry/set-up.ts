/** Creates the first owner: the holder of the set-up link names the team and creates the first user. Works once. */
import 'server-only'
import { type Outcome, type Problem, problem } from '@/lib/contract/problem'
import { everything } from '@/lib/portal/access/grants/stored'
import { recordAudit } from '@/lib/portal/audit/record'
import { db } from '@/lib/portal/base/db'
import type { Device } from '@/lib/portal/base/request/device'
import { invalidEmail, parseEmail } from '@/lib/portal/identity/email'
import { refuseName } from '@/lib/portal/identity/name'
import { takeLink } from '@/lib/portal/identity/one-time-link'
import { hashPassword, unlessBusy } from '@/lib/portal/identity/password'
import { refusePassword } from '@/lib/portal/identity/password-rules'
import { openSession } from '@/lib/portal/identity/session'
import { isSetupOpen, ownerExists } from '@/lib/portal/identity/setup-link'
import { createRowId } from '@/lib/portal/identity/token'
import { dropConnection, provideUpstreamKey } from '@/lib/portal/subjects/connections/upstream-key'
import { getSettings } from '@/lib/settings/settings'

export type FirstOwner = {
  teamName: string
  name: string
  email: string
  password: string
  /** The API key of the service in UPSTREAM_URL; ignored without that setting. */
  apiKey: string
}

const closed = (): Problem =>
  problem('not_found', { sentence: 'This link was used, has expired or was replaced. Restart Gatehouse for a new one, or sign in.' })

/**
 * Uses the link, creates the owner and signs them in. Of several simultaneous attempts one succeeds. The link stays valid if a
 * field is refused or the upstream does not accept the key.
 */
export async function setUpOwner(token: string, given: FirstOwner, device: Device): Promise<Outcome<{ sid: string }>> {
  if (!(await isSetupOpen(token))) return { ok: false, problem: closed() }
  const refusal = refuseFields(given)
  if (refusal) return { ok: false, problem: refusal }
  const team = await db().team.findFirstOrThrow({ orderBy: { createdAt: 'asc' } })
  const hashed = await unlessBusy(hashPassword(given.password))
  if (!hashed.ok) return hashed
  const upstream = getSettings().upstreamUrl ? await provideUpstreamKey(team.id, given.apiKey) : null
  if (upstream && !upstream.ok) return upstream
  const requestId = createRowId()
  const event = { requestId, teamId: team.id, action: 'owner.setUp', detail: { peer: device.peer, userAgent: device.userAgent } }
  await recordAudit({ ...event, actor: { kind: 'nobody' }, object: { kind: 'team', id: team.id }, stage: 'intent', outcome: 'asked' })
  const userId = await createOwner(token, team.id, given, hashed.data)
  const outcome = { ...event, object: { kind: 'user', id: userId }, stage: 'outcome' } as const
  if (userId === null) {
    if (upstream) await dropConnection(upstream.data.connectionId)
    await recordAudit({ ...outcome, actor: { kind: 'nobody' }, outcome: 'failed' })
    return { ok: false, problem: closed() }
  }
  await recordAudit({ ...outcome, actor: { kind: 'user', id: userId, sessionId: null }, outcome: 'done' })
  return { ok: true, data: { sid: await openSession({ userId, teamId: team.id }, device) } }
}

/** The new owner's id; null if another request was first. */
function createOwner(token: string, teamId: string, given: FirstOwner, passwordHash: string): Promise<string | null> {
  const id = createRowId()
  const user = { id, email: parseEmail(given.email) ?? '', name: given.name.trim(), passwordHash }
  return db().$transaction(async (transaction) => {
    if (!(await takeLink('setup', token, transaction)) || (await ownerExists(transaction))) return null
    const grants = { create: everything(createRowId(), 'The first owner.') }
    await transaction.user.create({ data: { ...user, memberships: { create: { teamId, role: 'owner', grants } } } })
    await transaction.team.update({ where: { id: teamId }, data: { name: given.teamName.trim() } })
    return id
  })
}

/** Why the form is refused, by field; null if it is valid. */
function refuseFields({ teamName, name, email, password, apiKey }: FirstOwner): Problem | null {
  const fields = Object.entries({
    teamName: refuseName(teamName),
    name: refuseName(name),
    email: parseEmail(email) ? null : invalidEmail,
    password: refusePassword(password, [teamName, name, email]),
    apiKey: getSettings().upstreamUrl && apiKey.trim() === '' ? 'Enter the API key of the service.' : null,
  }).filter((entry): entry is [string, string] => entry[1] !== null)
  return fields.length > 0 ? problem('invalid', { fields: Object.fromEntries(fields) }) : null
}
