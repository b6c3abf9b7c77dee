/** Holds what needs a second person, instead of doing it. */
import 'server-only'
import { type Problem, problem } from '@/lib/contract/problem'
import { recordAudit } from '@/lib/portal/audit/record'
import { db } from '@/lib/portal/base/db'
import { isTaken } from '@/lib/portal/base/transaction'
import type { Person } from '@/lib/portal/identity/actor'
import { auditActorOf } from '@/lib/portal/identity/audit-actor'
import { notify } from '@/lib/portal/notifications/notify'
import { type HeldContent, sealHeld } from './sealed'
import { whatOf } from './what'

/** id: the request id of what is held. approvers: the ids of members who could approve it. */
type NewHeld = {
  id: string
  action: string
  serverId?: string | null
  siteId?: string | null
  connectionId?: string | null
  targetName: string
  digest: string
  content: HeldContent
  approvers: readonly string[]
}

/** The digest of what is about to be done is not the one that was approved. */
export const changed = problem('changed_meanwhile', {
  sentence: 'What would be sent is not what was approved: something changed in the meantime. Nothing was sent. Ask again.',
})

/** Of the notification that a request waits. */
export const wantedKey = (heldId: string): string => `held ${heldId}`

/** Stores the request, and returns the outcome of everything that is held. */
export async function holdRequest(actor: Person, { content, approvers, ...held }: NewHeld): Promise<Problem> {
  const row = {
    serverId: null,
    siteId: null,
    connectionId: null,
    ...held,
    teamId: actor.team.id,
    kind: content.kind,
    askedById: actor.user.id,
    sessionId: actor.sessionId,
    askedAt: new Date(),
    sendAt: null,
    decidedById: null,
  }
  const [what, { id, teamId }] = [whatOf(row), row]
  const waits = problem('needs_approval', { sentence: `Waits for a second person: ${what}. Nothing was done yet.`, heldId: id })
  try {
    await db().heldRequest.create({ data: { ...row, ...(await sealHeld(row, content)) } })
  } catch (error) {
    // The same form was sent twice: the first one is held.
    if (isTaken(error)) return waits
    throw error
  }
  const object = { kind: 'heldRequest', id } as const
  const event = { teamId, actor: auditActorOf(actor), action: 'approval.ask', object, stage: 'event', outcome: 'done' } as const
  await recordAudit({ ...event, detail: { name: row.targetName, about: row.action, digest: row.digest } })
  const userIds = approvers.filter((userId) => userId !== actor.user.id)
  const detail = { what, who: actor.user.name }
  await notify({ teamId, userIds, kind: 'approval_wanted', onceKey: wantedKey(id), subject: object, detail })
  return waits
}
