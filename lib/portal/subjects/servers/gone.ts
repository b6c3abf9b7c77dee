/** What goes together with a server that went from the list. */
import 'server-only'
import { db } from '@/lib/portal/base/db'
import { dropLabels } from '../labels/labels'

/** Its labels, and what would undo changes of it: nothing of it is undone from here any more. */
export async function dropBelongings(serverId: string): Promise<void> {
  await dropLabels('server', serverId)
  await db().undo.deleteMany({ where: { serverId, usedAt: null } })
}
