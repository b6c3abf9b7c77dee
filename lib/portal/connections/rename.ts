/** Gives a connection another name. */
import 'server-only'
import type { Outcome } from '@/lib/contract/problem'
import { listUsableConnections } from '../access/connections'
import type { OwnInput } from '../action'
import { db } from '../db'
import { findKeptConnection, keeperOf } from './find'
import { refuseFields, refuseLabel } from './form'
import { runRecorded } from './recorded'

const action = 'connection.rename'

/** Fields: connectionId, label. */
export async function renameConnection({ actor, requestId, field }: OwnInput): Promise<Outcome<{ label: string }>> {
  const found = await findKeptConnection(actor, action, field('connectionId'))
  if (!found.ok) return found
  const { id, label: former } = found.data
  const label = field('label').trim()
  const others = (await listUsableConnections(actor)).filter((other) => other.id !== id)
  const refused = refuseFields({ label: refuseLabel(label, others) })
  if (refused) return { ok: false, problem: refused }
  const detail = { name: former, label }
  return runRecorded({ actor, action, requestId, connectionId: id, keeper: keeperOf(found.data), detail }, async () => {
    await db().connection.updateMany({ where: { id }, data: { label } })
    return { ok: true, data: { label } }
  })
}
