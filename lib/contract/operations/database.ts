/** The database of a site. */

import * as z from 'zod'
import { secret } from '@/lib/contract/fields'
import { done, listOf, nameOf, oneOf, text as string } from '@/lib/contract/members'
import { operation, subject } from '@/lib/contract/operation'

const details = z.object({ domain: nameOf('site'), db_name: string, server: z.object({ ip: string }) })

export const database = subject('database', {
  get: operation({
    method: 'GET',
    path: '/sites/{site_id}/database',
    fields: {},
    answer: z.object({ item: oneOf(details) }),
    effect: 'read',
    pace: 'quick',
    description: 'Show the database of a site.',
  }),
  tables: operation({
    method: 'GET',
    path: '/sites/{site_id}/database/tables',
    fields: {},
    answer: z.object({ tables: listOf(string) }),
    effect: 'read',
    pace: 'quick',
    description: 'List the tables of a database.',
  }),
  save: operation({
    method: 'POST',
    path: '/sites/{site_id}/savedatabase',
    fields: { password: secret() },
    answer: done,
    effect: 'change',
    pace: 'quick',
    description: 'Set the password of a database.',
  }),
})
