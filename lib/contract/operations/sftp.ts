/** The public keys with which the user of a site signs in by SFTP. */

import * as z from 'zod'
import { keyFingerprint, sftpKey } from '@/lib/contract/fields'
import { done, id, listOf, maybeCount, maybeText, nameOf, text as string } from '@/lib/contract/members'
import { operation, subject } from '@/lib/contract/operation'

/**
 * type: such as ssh-ed25519. bits: of RSA and ECDSA. key: what can be saved again to get the same key; empty if the server limits the key by
 * options, which would be lost.
 */
const listedKey = z.object({ fingerprint: id, type: string, bits: maybeCount, comment: string, key: maybeText })

export const sftp = subject('sftp', {
  list: operation({
    method: 'GET',
    path: '/sites/{site_id}/sftpkeys',
    fields: {},
    answer: z.object({ domain: nameOf('site'), items: listOf(listedKey) }),
    effect: 'read',
    pace: 'quick',
    description: 'List the SFTP keys of a site.',
    extension: true,
  }),
  save: operation({
    method: 'POST',
    path: '/sites/{site_id}/savesftpkey',
    fields: { key: sftpKey },
    answer: done,
    effect: 'change',
    undoable: true,
    pace: 'quick',
    description: 'Add an SFTP key.',
    extension: true,
  }),
  delete: operation({
    method: 'POST',
    path: '/sites/{site_id}/deletesftpkey',
    fields: { fingerprint: keyFingerprint },
    answer: done,
    effect: 'change',
    undoable: true,
    pace: 'quick',
    description: 'Remove an SFTP key.',
    extension: true,
  }),
})
