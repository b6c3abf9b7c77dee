/** The last backups of sites that were deleted. `sites.create` restores one. */

import * as z from 'zod'
import { ids } from '@/lib/contract/fields'
import { done, id, listOf, maybeCount, maybeFlag, maybeText, maybeTexts, size, text as string } from '@/lib/contract/members'
import { operation, subject } from '@/lib/contract/operation'

/**
 * domain: of the deleted site. created_at: when it was deleted, ISO 8601. kept_until: when the server deletes the backup, ISO 8601. format: of the
 * archive. lacks: what a backup of the present version has and this one does not, as nouns: "email", "cron jobs". taken:
 * aliases of the site that other sites have by now, which a restore leaves out.
 */
const lastBackup = z.object({
  name: id,
  domain: string,
  size,
  created_at: maybeText,
  kept_until: maybeText,
  proven: maybeFlag,
  format: maybeCount,
  lacks: maybeTexts,
  taken: maybeTexts,
})

export const lastBackups = subject('lastBackups', {
  list: operation({
    method: 'GET',
    path: '/servers/{server_id}/lastbackups',
    fields: {},
    answer: z.object({ items: listOf(lastBackup) }),
    effect: 'read',
    pace: 'quick',
    description: 'List the last backups of sites that were deleted from a server.',
    extension: true,
  }),
  delete: operation({
    method: 'POST',
    path: '/servers/{server_id}/lastbackups',
    fields: { ids },
    answer: done,
    effect: 'destroy',
    confirm: { field: 'ids' },
    pace: 'quick',
    description: 'Delete last backups of sites that were deleted from a server.',
    extension: true,
  }),
})
