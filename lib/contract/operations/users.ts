/** System users of a server. */

import * as z from 'zod'
import { connectionHeader } from '@/lib/contract/connection-header'
import { accountName, accountPassword, listedAccount } from '@/lib/contract/fields'
import { done, id, listOf } from '@/lib/contract/members'
import { operation, subject } from '@/lib/contract/operation'

export const users = subject('users', {
  list: operation({
    method: 'GET',
    path: '/servers/{server_id}/systemusers',
    fields: {},
    answer: z.object({ ...connectionHeader, users: listOf(z.object({ name: id })) }),
    effect: 'read',
    pace: 'quick',
    description: 'List the system users of a server.',
  }),
  save: operation({
    method: 'POST',
    path: '/servers/{server_id}/savesystemuser',
    fields: { user: accountName, pass: accountPassword },
    answer: done,
    effect: 'change',
    root: true,
    pace: 'quick',
    description: 'Create a system user or set its password.',
  }),
  delete: operation({
    method: 'POST',
    path: '/servers/{server_id}/deletesystemuser',
    fields: { user: listedAccount },
    answer: done,
    effect: 'destroy',
    confirm: { field: 'user' },
    root: true,
    pace: 'quick',
    description: 'Delete a system user.',
  }),
})
