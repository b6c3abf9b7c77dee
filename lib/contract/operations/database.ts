/** The database of a site. */

import * as z from 'zod'
import { databasePassword, extensionFlag } from '@/lib/contract/fields'
import { listOf, maybeTables, maybeText, maybeTexts, nameOf, oneOf, partOf, text as string } from '@/lib/contract/members'
import { operation, subject } from '@/lib/contract/operation'

/** user: the database user, who may use this database alone. host: where programs of the site find it. */
const details = z.object({ domain: nameOf('site'), db_name: string, server: partOf({ ip: string }), user: maybeText, host: maybeText })

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
    answer: z.object({ tables: listOf(string), details: maybeTables }),
    effect: 'read',
    pace: 'quick',
    description: 'List the tables of a database.',
  }),
  save: operation({
    method: 'POST',
    path: '/sites/{site_id}/savedatabase',
    // staging: of the site's staging copy instead.
    fields: { password: databasePassword, staging: extensionFlag },
    // rewritten: the configurations of apps that got the new password too.
    answer: z.object({ rewritten: maybeTexts }),
    handsOn: ['rewritten'],
    effect: 'change',
    pace: 'quick',
    description: 'Set the password of a database.',
  }),
})
