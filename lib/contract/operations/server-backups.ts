/** Backup files of a server. */
import * as z from 'zod'
import { done, id, listOf, text as string } from '@/lib/contract/members'
import { list, operation, subject } from '@/lib/contract/operation'

export const serverBackups = subject('serverBackups', {
  list: operation({
    method: 'GET',
    path: '/servers/{server_id}/backups',
    fields: {},
    answer: z.object({ items: listOf(z.object({ name: id, size: string })) }),
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
