/** Deletes the data of a server that is no longer listed. */
import 'server-only'
import { dropLabels } from '../labels/labels'
import { dropUndos } from '../undoable/kept'

export async function deleteDependents(serverId: string): Promise<void> {
  await dropLabels('server', serverId)
  await dropUndos({ kind: 'server', id: serverId })
}
