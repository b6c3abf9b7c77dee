/** Adds and removes SFTP keys of a site. */
import 'server-only'
import { sftpKey } from '@/lib/contract/fields'
import { limitRefusal } from '@/lib/contract/limits'
import { sftp } from '@/lib/contract/operations/sftp'
import { type Outcome, problem } from '@/lib/contract/problem'
import type { OwnInput } from '@/lib/portal/spine/guarded-action'
import { type PublicKey, readPublicKey } from '@/lib/text/public-key'
import { runOperation } from '../spine'
import { type Undoable, undoableChange } from '../undoable/change'
import { kept } from '../undoable/kind'
import { onSite } from '../undoable/subject'
import { findKey, listKeys, nameKey } from './keys'
import { undoKeyAdd, undoKeyRemoval } from './undo-keys'

/** Reads `siteId` and `key`. What is no public key, and above all a private one, is not sent to the service. */
export function addKey({ actor, requestId, field }: OwnInput): Promise<Outcome<Undoable>> {
  const siteId = field('siteId')
  return undoableChange(actor, onSite({ siteId, requestId }), {
    operation: sftp.save,
    read: async () => readKey(field('key').trim()),
    inverse: ({ fingerprint }) => kept(undoKeyAdd, { fingerprint }),
    run: (key) => runOperation(actor, sftp.save, { siteId }, { key: key.line }, { requestId, about: nameKey(key) }),
  })
}

function readKey(given: string): Outcome<PublicKey> {
  const privateKeyRefusal = limitRefusal(sftpKey, given)
  const read = privateKeyRefusal === null ? readPublicKey(given) : { refusal: privateKeyRefusal }
  return 'refusal' in read ? { ok: false, problem: problem('invalid', { fields: { key: read.refusal } }) } : { ok: true, data: read.key }
}

/** Reads `siteId` and `fingerprint`. Reads the key first, to add it again. One that the server limits by options could not come back with them. */
export function removeKey({ actor, requestId, field }: OwnInput): Promise<Outcome<Undoable>> {
  const [siteId, fingerprint] = [field('siteId'), field('fingerprint')]
  return undoableChange(actor, onSite({ siteId, requestId }), {
    operation: sftp.delete,
    read: () => listKeys(actor, { siteId }),
    inverse(keys) {
      const present = findKey(keys, fingerprint)
      return present?.key ? kept(undoKeyRemoval, { key: present.key, fingerprint }) : null
    },
    run(keys) {
      const present = findKey(keys, fingerprint)
      return runOperation(actor, sftp.delete, { siteId }, { fingerprint }, { requestId, ...(present && { about: nameKey(present) }) })
    },
  })
}
