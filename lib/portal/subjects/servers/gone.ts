/** Deletes the data of a server that is no longer listed, and settles deletions whose answer was lost. */
import 'server-only'
import { contract } from '@/lib/contract'
import { dropLabels } from '../labels/labels'
import { createSettling } from '../listing/settle'
import { dropUndos } from '../undoable/kept'

export async function deleteDependents(serverId: string): Promise<void> {
  await dropLabels('server', serverId)
  await dropUndos({ kind: 'server', id: serverId })
}

export const serverDeletes = createSettling({ kind: 'server', operation: contract.servers.delete, onGone: deleteDependents })
