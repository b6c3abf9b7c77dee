/** Cron jobs of a server. */

import * as z from 'zod'
import { connectionHeader } from '@/lib/contract/connection-header'
import { accountName, cronCommand, cronTime, text } from '@/lib/contract/fields'
import { done, id, listOf, maybeSiteUsers, maybeTexts, text as string } from '@/lib/contract/members'
import { operation, subject } from '@/lib/contract/operation'

/** `line` identifies the job and is what delete takes; the five times are cron fields. */
const job = z.object({
  line: id,
  command: string,
  user: string,
  minute: string,
  hour: string,
  dom: string,
  mon: string,
  dow: string,
})

export const cron = subject('cron', {
  list: operation({
    method: 'GET',
    path: '/servers/{server_id}/cronjobs',
    fields: {},
    // partial: the system users whose crontabs are listed only in part. site_users: whom `users.list` does not list, and who can have jobs, too.
    answer: z.object({ ...connectionHeader, cronjobs: listOf(job), partial: maybeTexts, site_users: maybeSiteUsers }),
    effect: 'read',
    pace: 'quick',
    description: 'List the cron jobs of a server.',
  }),
  save: operation({
    method: 'POST',
    path: '/servers/{server_id}/savecronjob',
    // before: the line of the same system user's job to insert it before; without it, the job goes to the end.
    fields: {
      minute: cronTime,
      hour: cronTime,
      dom: cronTime,
      mon: cronTime,
      dow: cronTime,
      user: accountName,
      command: cronCommand,
      before: text({ extension: true, audited: false }),
    },
    answer: done,
    effect: 'change',
    undoable: true,
    root: true,
    pace: 'quick',
    description: 'Save a cron job.',
  }),
  delete: operation({
    method: 'POST',
    path: '/servers/{server_id}/deletecronjob',
    fields: { line: text() },
    answer: done,
    effect: 'change',
    undoable: true,
    root: true,
    pace: 'quick',
    description: 'Delete a cron job.',
  }),
})
