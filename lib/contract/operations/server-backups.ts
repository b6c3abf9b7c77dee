/** Backup files of a server. */
import * as z from 'zod'
import { done, id, listOf, maybeFlag, maybeText, text as string } from '@/lib/contract/members'
import { list, operation, subject } from '@/lib/contract/operation'
import { plausibleBackups } from '@/lib/contract/plausible-sizes'

/** created_at is ISO; proven: it was unpacked and its dump loaded when it was made, and is still the file that was. */
const backup = z.object({ name: id, size: string, created_at: maybeText, proven: maybeFlag })

export const serverBackups = subject('serverBackups', {
  list: operation({
    method: 'GET',
    path: '/servers/{server_id}/backups',
    fields: {},
    answer: z.object({ items: listOf(backup) }),
    rearrangeForeign: plausibleBackups,
    effect: 'read',
    pace: 'quick',
    says: 'List the backups of a server.',
  }),
  delete: operation({
    method: 'POST',
    path: '/servers/{server_id}/deletebackup',
    fields: { ids: list },
    answer: done,
    effect: 'destroy',
    pace: 'quick',
    says: 'Delete backups of a server.',
  }),
})
