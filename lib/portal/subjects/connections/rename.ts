/** Renames a connection. */
import 'server-only'
import { type Outcome, problem } from '@/lib/contract/problem'
import { listUsableConnections } from '@/lib/portal/access/connections'
import { db } from '@/lib/portal/base/db'
import { resealForLabel } from '@/lib/portal/custody/credential'
import type { OwnInput } from '@/lib/portal/spine/guarded-action'
import { refuseFields } from '@/lib/portal/spine/refuse-fields'
import { findKeptConnection, keeperOf } from './find'
import { refuseLabel } from './form'
import { runForConnection } from './recorded'

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
  return runForConnection({ actor, action, requestId, connectionId: id, keeper: keeperOf(found.data), detail }, async () => {
    const sealed = await resealForLabel(found.data, label)
    const { kekId, rev } = found.data
    // The API key is bound to its label: if another request changed the row meanwhile, it could no longer be decrypted.
    const { count } = await db().connection.updateMany({
      where: { id, label: former, kekId, rev },
      data: { label, ...sealed, rev: { increment: 1 } },
    })
    return count === 1 ? { ok: true, data: { label } } : { ok: false, problem: problem('changed_meanwhile') }
  })
}
