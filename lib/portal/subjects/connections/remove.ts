/** Removes a connection with its API key. Servers that no other connection lists disappear; the service itself is not changed. */
import 'server-only'
import { type Outcome, type Problem, problem } from '@/lib/contract/problem'
import { db } from '@/lib/portal/base/db'
import { type OwnInput, pickFields } from '@/lib/portal/spine/guarded-action'
import { refuseFields } from '@/lib/portal/spine/refuse-fields'
import { getSettings } from '@/lib/settings/settings'
import type { Connection } from '@/prisma/generated/portal/client'
import { forgetListing } from '../listing/cache'
import { dropUndos } from '../undoable/kept'
import { findGoverned } from './find'
import { refuseConfirmation } from './form'
import { runForConnection } from './recorded'

const action = 'connection.remove' as const

/** Why nobody can remove a connection, or null. */
export function formatKeptReason({ kind }: Pick<Connection, 'kind'>): string | null {
  // If UPSTREAM_URL is set, the bundled service does not run, so its connection can be removed. A start without that setting
  // recreates it.
  if (kind !== 'bundled' || getSettings().upstreamUrl) return null
  return 'This connection comes with Gatehouse and cannot be removed. If its key stops working, restart Gatehouse to create a new one.'
}

/** Fields: connectionId, confirmName, and password if the sign-in is not recent. */
export async function removeConnection(input: OwnInput): Promise<Outcome<{ label: string }>> {
  const { actor, requestId, field, stepUp, approvedDigest } = input
  const found = await findGoverned(actor, action, field('connectionId'))
  if (!found.ok) return found
  const { id, label, ownerId } = found.data
  const refused = (await refuse(found.data)) ?? refuseFields({ confirmName: refuseConfirmation(field('confirmName'), label) })
  if (refused) return { ok: false, problem: refused }
  const unproven = await stepUp()
  if (unproven) return { ok: false, problem: unproven }
  // As for freezing: only a connection of the team, which stops the work of all.
  const fields = pickFields(input, ['connectionId', 'confirmName'])
  const second = ownerId === null ? { fields, what: `Remove the connection “${label}”`, approvedDigest } : null
  const change = {
    actor,
    action,
    requestId,
    connectionId: id,
    keeper: ownerId === actor.user.id ? 'own' : 'team',
    detail: { label },
    second,
  } as const
  return runForConnection(change, async () => {
    // Checked again, because work may have started while the user typed the password.
    const busy = await findBusy(id)
    if (busy) return { ok: false, problem: busy }
    await drop(id)
    await dropUndos({ kind: 'connection', id })
    forgetListing(id)
    return { ok: true, data: { label } }
  })
}

async function refuse(connection: Connection): Promise<Problem | null> {
  const kept = formatKeptReason(connection)
  return kept === null ? findBusy(connection.id) : problem('forbidden', { sentence: kept })
}

async function findBusy(connectionId: string): Promise<Problem | null> {
  const running = await db().job.findFirst({ where: { connectionId, state: 'running' } })
  if (!running) return null
  return problem('busy', { sentence: `A job on ${running.targetName} is running over this connection. Wait until it ends.` })
}

/** Deletes its links too. Servers and sites that no other connection lists are marked as gone, as after a list without them. */
async function drop(id: string): Promise<void> {
  await db().$transaction(async (tx) => {
    const listedByNoOther = { goneAt: null, connections: { some: { connectionId: id }, every: { connectionId: id } } }
    const data = { goneAt: new Date() }
    await tx.server.updateMany({ where: listedByNoOther, data })
    await tx.site.updateMany({ where: listedByNoOther, data })
    await tx.connection.deleteMany({ where: { id } })
  })
}
