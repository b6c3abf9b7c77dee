/** Domain aliases of a site. */

import * as z from 'zod'
import { domain, extensionFlag } from '@/lib/contract/fields'
import { dns, done, id, listOf, maybeDns, nameOf, oneOf, partOf, text as string } from '@/lib/contract/members'
import { operation, subject } from '@/lib/contract/operation'

const details = z.object({
  domain: nameOf('site'),
  aliases: listOf(z.object({ domain: id, dns })),
  server: partOf({ name: nameOf('server', string), ip: string, dns: string }),
  expected: maybeDns,
})

export const aliases = subject('aliases', {
  list: operation({
    method: 'GET',
    path: '/sites/{site_id}/aliases',
    fields: {},
    answer: z.object({ item: oneOf(details) }),
    effect: 'read',
    pace: 'quick',
    description: 'List the aliases of a site.',
  }),
  save: operation({
    method: 'POST',
    path: '/sites/{site_id}/savealias',
    fields: { alias: domain, more: extensionFlag },
    answer: done,
    effect: 'change',
    pace: 'slow',
    description: 'Add an alias to a site.',
  }),
  delete: operation({
    method: 'POST',
    path: '/sites/{site_id}/deletealias',
    fields: { alias: domain },
    answer: done,
    effect: 'change',
    undoable: true,
    pace: 'slow',
    description: 'Delete an alias of a site.',
  }),
})
