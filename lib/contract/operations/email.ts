/** E-mail of a site: turning it on and off, and its forwarding addresses. */

import * as z from 'zod'
import { addressPassword, addressUser, extensionFlag, forwardAddress, status } from '@/lib/contract/fields'
import { done, flag, id, listOf, maybeRecords, maybeText, nameOf, oneOf, partOf, text as string } from '@/lib/contract/members'
import { operation, subject } from '@/lib/contract/operation'

/** elsewhere: the mail server that DNS names for the domain, if it is not this one; empty otherwise. */
const details = z.object({
  domain: nameOf('site'),
  email: flag,
  emails: listOf(z.object({ user: id, destination: string })),
  server: partOf({ hostname: string, dns: string }),
  records: maybeRecords,
  elsewhere: maybeText,
})

export const email = subject('email', {
  get: operation({
    method: 'GET',
    path: '/sites/{site_id}/email',
    fields: {},
    answer: z.object({ item: oneOf(details) }),
    effect: 'read',
    pace: 'quick',
    description: 'Show the e-mail addresses of a site.',
  }),
  set: operation({
    method: 'POST',
    path: '/sites/{site_id}/setemail',
    // anyway: although DNS sends the domain's mail elsewhere. Without it that is refused, because other sites of the server would lose their mail to it.
    fields: { status, anyway: extensionFlag },
    answer: done,
    effect: 'change',
    undoable: true,
    pace: 'slow',
    description: 'Switch e-mail on or off.',
  }),
  save: operation({
    method: 'POST',
    path: '/sites/{site_id}/saveemail',
    fields: { user: addressUser, password: addressPassword, destination: forwardAddress },
    // sends_after: `ssl` if the password works only once SSL of the site is on; absent otherwise.
    answer: z.object({ sends_after: maybeText }),
    effect: 'change',
    undoable: true,
    pace: 'quick',
    description: 'Save an e-mail address.',
  }),
  delete: operation({
    method: 'POST',
    path: '/sites/{site_id}/deleteemail',
    fields: { user: addressUser },
    answer: done,
    effect: 'change',
    undoable: true,
    pace: 'quick',
    description: 'Delete an e-mail address.',
  }),
})
