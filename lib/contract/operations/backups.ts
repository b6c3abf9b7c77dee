/** Backups of a site. */

import * as z from 'zod'
import { extensionFlag, ids, text } from '@/lib/contract/fields'
import { done, id, listOf, maybeBackupReason, maybeFlag, maybeText, maybeTexts, nameOf, size, text as string } from '@/lib/contract/members'
import { operation, subject } from '@/lib/contract/operation'
import { plausibleSiteBackups } from '@/lib/contract/plausible-sizes'

/**
 * created_at: ISO 8601. proven: verified, that is unpacked and its dump loaded, and unchanged since. reason: what it was made for; copies made
 * before another operation are kept for seven days. taken: aliases that a restore would bring back, had other sites not got them by now.
 */
const backup = z.object({
  name: id,
  size,
  date: string,
  created_at: maybeText,
  proven: maybeFlag,
  reason: maybeBackupReason,
  taken: maybeTexts,
})

export const backups = subject('backups', {
  list: operation({
    method: 'GET',
    path: '/sites/{site_id}/backups',
    fields: {},
    answer: z.object({ domain: nameOf('site', string), ip: string, items: listOf(backup) }),
    rearrangeForeign: plausibleSiteBackups,
    effect: 'read',
    pace: 'quick',
    description: 'List the backups of a site.',
  }),
  create: operation({
    method: 'GET',
    path: '/sites/{site_id}/backup/creates',
    fields: {},
    answer: done,
    effect: 'change',
    pace: 'slow',
    description: 'Back up a site.',
  }),
  restore: operation({
    method: 'POST',
    path: '/sites/{site_id}',
    fields: { restore: text(), backup_first: extensionFlag },
    // kept: where the replaced site is on the server, for 24 hours.
    answer: z.object({ kept: maybeText }),
    effect: 'destroy',
    confirm: 'name',
    pace: 'slow',
    description: 'Restore a site from a backup.',
  }),
  delete: operation({
    method: 'POST',
    path: '/sites/{site_id}/backups',
    fields: { ids },
    answer: done,
    effect: 'destroy',
    confirm: { field: 'ids' },
    pace: 'quick',
    description: 'Delete backups of a site.',
  }),
})
