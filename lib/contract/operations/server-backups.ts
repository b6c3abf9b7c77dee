/** Backup files of a server. */

import * as z from 'zod'
import { copyLimit, fileNames } from '@/lib/contract/fields'
import { done, id, listOf, maybeFlag, maybeText, maybeTexts, text as string } from '@/lib/contract/members'
import { operation, subject } from '@/lib/contract/operation'
import { madeCopy, repository } from '@/lib/contract/operations/copies'
import { plausibleBackups } from '@/lib/contract/plausible-sizes'

/** What a backup lacks, because it could not be verified: a database, all of them, or a file; and the reason as a sentence. */
const maybeMissing = z
  .array(z.object({ name: z.string(), reason: z.string() }))
  .optional()
  .catch(undefined)

/**
 * created_at is ISO. proven: the archive was unpacked and its dumps were loaded when it was made, except for `missing`, and the file
 * has not changed since. left_out: mounted folders, which no backup contains.
 */
const backup = z.object({
  name: id,
  size: string,
  created_at: maybeText,
  proven: maybeFlag,
  missing: maybeMissing,
  left_out: maybeTexts,
})

/** The newest run of the nightly backup; at is ISO, reason is a sentence or empty. */
const maybeLast = z
  .object({ state: z.enum(['running', 'done', 'partial', 'failed']), at: z.string(), reason: z.string() })
  .optional()
  .catch(undefined)

/** next is ISO, or empty if unknown. */
const maybeTimer = z.object({ active: z.boolean(), next: z.string() }).optional().catch(undefined)

export const serverBackups = subject('serverBackups', {
  list: operation({
    method: 'GET',
    path: '/servers/{server_id}/backups',
    fields: {},
    answer: z.object({ items: listOf(backup), last: maybeLast, timer: maybeTimer }),
    rearrangeForeign: plausibleBackups,
    effect: 'read',
    pace: 'quick',
    description: 'List the backups of a server.',
  }),
  delete: operation({
    method: 'POST',
    path: '/servers/{server_id}/deletebackup',
    fields: { ids: fileNames },
    answer: done,
    effect: 'destroy',
    confirm: { field: 'ids' },
    pace: 'quick',
    description: 'Delete backups of a server.',
  }),
  copy: operation({
    method: 'POST',
    path: '/servers/{server_id}/copies',
    // As of copies.make. That of the server itself: its sites have backups of their own.
    fields: { ...repository, limit: copyLimit },
    answer: madeCopy,
    effect: 'change',
    pace: 'slow',
    description: 'Copy the newest verified backup of a server to a repository outside of it.',
    extension: true,
  }),
})
