/** Backups of a site. */
import * as z from 'zod'
import { done, id, listOf, maybeFlag, maybeText, size, text as string } from '@/lib/contract/members'
import { list, operation, subject, text } from '@/lib/contract/operation'

const backup = z.object({ name: id, size, date: string, created_at: maybeText, proven: maybeFlag })

export const backups = subject('backups', {
  list: operation({
    method: 'GET',
    path: '/sites/{site_id}/backups',
    fields: {},
    answer: z.object({ domain: string, ip: string, items: listOf(backup) }),
    effect: 'read',
    pace: 'quick',
    says: 'List the backups of a site.',
  }),
  create: operation({
    method: 'GET',
    path: '/sites/{site_id}/backup/creates',
    fields: {},
    answer: done,
    effect: 'change',
    pace: 'slow',
    says: 'Back up a site.',
  }),
  restore: operation({
    method: 'POST',
    path: '/sites/{site_id}',
    fields: { restore: text },
    answer: z.object({ kept: maybeText }),
    effect: 'destroy',
    pace: 'slow',
    says: 'Restore a site from a backup.',
  }),
  delete: operation({
    method: 'POST',
    path: '/sites/{site_id}/backups',
    fields: { ids: list },
    answer: done,
    effect: 'destroy',
    pace: 'quick',
    says: 'Delete backups of a site.',
  }),
})
