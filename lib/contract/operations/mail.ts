/** The mail queue of a server. */

import * as z from 'zod'
import { ids } from '@/lib/contract/fields'
import { done, id, listOf, text as string } from '@/lib/contract/members'
import { operation, subject } from '@/lib/contract/operation'
import { plausibleMessages } from '@/lib/contract/plausible-sizes'

const message = z.object({ id, size: string, date: string, sender: string, recipient: string })

export const mail = subject('mail', {
  list: operation({
    method: 'GET',
    path: '/servers/{server_id}/messages',
    fields: {},
    answer: z.object({ messages: listOf(message) }),
    rearrangeForeign: plausibleMessages,
    effect: 'read',
    pace: 'quick',
    description: 'List the mail queue of a server.',
  }),
  delete: operation({
    method: 'POST',
    path: '/servers/{server_id}/deletemessages',
    fields: { ids },
    answer: done,
    effect: 'destroy',
    confirm: { field: 'ids' },
    pace: 'quick',
    description: 'Delete messages from the mail queue.',
  }),
})
