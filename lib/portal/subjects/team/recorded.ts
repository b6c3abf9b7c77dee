/** Runs a change to the team between the two entries of the audit log. */
import 'server-only'
import { type Outcome, type Problem, problem } from '@/lib/contract/problem'
import { recordDenied } from '@/lib/portal/access/denied'
import { isFull } from '@/lib/portal/access/grants/compile'
import { rightOf } from '@/lib/portal/access/grants/read'
import { mayManage } from '@/lib/portal/access/roles'
import type { OwnAction } from '@/lib/portal/audit/own-actions'
import type { Person, Role } from '@/lib/portal/identity/actor'
import { type RecordedChange, runRecorded } from '@/lib/portal/spine/recorded'

type Change = Pick<RecordedChange, 'actor' | 'action' | 'requestId' | 'detail' | 'object' | 'second'> & {
  /** The roles that the change gives or takes: the user's own must reach each of them. */
  touches: readonly Role[]
  /** It compares itself what it gives with what the user may do on servers and sites. */
  checksAccess?: true
  /** A fresh sign-in, where the change needs one. */
  prove?: () => Promise<Problem | null>
}

/** Why a role may not change the team. */
const viewOnly = 'Only a team owner or admin can change the team.'
const above = 'You cannot give or change a role above your own.'
const limited = 'Only an owner, or an admin who can do everything on all servers and sites, can change members.'

/** Whether somebody with this role may make the change; a sentence if not. */
function refuseRole(role: Role, touches: readonly Role[]): string | null {
  if (touches.every((each) => mayManage(role, each))) return null
  return mayManage(role, role) ? above : viewOnly
}

/** A role, an address or a new password of another member leads to what that member may do, so an admin with less access changes none. */
async function refuse(
  actor: Person,
  { touches, checksAccess, object }: Pick<Change, 'touches' | 'checksAccess' | 'object'>,
): Promise<string | null> {
  const refusal = refuseRole(actor.role, touches)
  if (refusal || checksAccess || actor.role === 'owner' || object.id === actor.user.id) return refusal
  return isFull(await rightOf(actor)) ? null : limited
}

/** Like the spine's runRecorded. The role is checked before the intent, when a refusal is logged as such, and again before the change. */
export async function runForTeam<T>(
  { touches, checksAccess, prove, ...change }: Change,
  run: (now: Person) => Promise<Outcome<T>>,
): Promise<Outcome<T>> {
  const needs = { touches, object: change.object, ...(checksAccess && { checksAccess }) }
  const refusal = await refuse(change.actor, needs)
  if (refusal) return refuseAs(change, refusal)
  const unproven = await prove?.()
  if (unproven) return { ok: false, problem: unproven }
  const second = change.second && { ...change.second, touches, full: true }
  return runRecorded({ ...change, ...(second !== undefined && { second }), needs: { subject: 'team', effect: 'change' } }, async (now) => {
    const lapsed = await refuse(now, needs)
    return lapsed ? { ok: false, problem: problem('forbidden', { sentence: lapsed }) } : run(now)
  })
}

async function refuseAs({ actor, action, object }: Pick<Change, 'actor' | 'action' | 'object'>, sentence: string) {
  await recordDenied(actor, action, object, 'forbidden')
  return { ok: false, problem: problem('forbidden', { sentence }) } as const
}

/** An id that is unknown, malformed or another team's. */
export async function refuseUnknown(actor: Person, action: OwnAction, object: { kind: 'user' | 'invitation'; id: string }) {
  await recordDenied(actor, action, object, 'not_found')
  return { ok: false, problem: problem('not_found') } as const
}
