/** Deletes the data of a site that is no longer listed, and settles deletions whose answer was lost. */
import 'server-only'
import { contract } from '@/lib/contract'
import { db } from '@/lib/portal/base/db'
import { dropLabels } from '../labels/labels'
import { createSettling } from '../listing/settle'
import { dropUndos } from '../undoable/kept'

async function deleteDependents(siteId: string): Promise<void> {
  await dropLabels('site', siteId)
  await dropUndos({ kind: 'site', id: siteId })
}

export const siteDeletes = createSettling({ kind: 'site', operation: contract.sites.delete, onGone: deleteDependents })

/** Advances `listedAt`, so that a list requested before the deletion does not bring the site back. */
export async function forgetSite(id: string): Promise<void> {
  const now = new Date()
  await db().site.updateMany({ where: { id }, data: { goneAt: now, listedAt: now } })
  await deleteDependents(id)
}
