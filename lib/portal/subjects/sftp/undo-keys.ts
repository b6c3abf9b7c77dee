/** Undoes adding and removing an SFTP key of a site. */
import 'server-only'
import * as z from 'zod'
import { sftp } from '@/lib/contract/operations/sftp'
import { checkState, runInverse, tooLate } from '../revert/run-inverse'
import { undoKind } from '../undoable/kind'
import type { Subject } from '../undoable/subject'
import { findKey, listKeys, nameKey } from './keys'

const page = ({ id }: Subject) => ({ href: `/sites/${id}`, label: 'Overview' })

/** Removes an added key, if it is still there. */
export const undoKeyAdd = undoKind({
  name: 'sftp.takeOut',
  schema: z.object({ fingerprint: z.string() }),
  summary: 'Removes the key.',
  plain: true,
  needs: sftp.delete,
  page,
  async revert(actor, request, { fingerprint }) {
    const now = await listKeys(actor, request.target)
    if (!now.ok) return now
    const present = findKey(now.data, fingerprint)
    if (!present) return tooLate('The key was removed already, so there is nothing to undo.')
    const step = { ...request, about: nameKey(present) }
    const removed = await runInverse(actor, sftp.delete, step, { fingerprint }, () =>
      checkState(listKeys(actor, request.target), (keys, whole) => whole && !findKey(keys, fingerprint)),
    )
    return removed.ok ? { ok: true, data: { message: 'The key was removed again.' } } : removed
  },
})

/** Adds a removed key again, unless it is there. */
export const undoKeyRemoval = undoKind({
  name: 'sftp.addAgain',
  schema: z.object({ key: z.string(), fingerprint: z.string() }),
  summary: 'Adds the key again.',
  plain: true,
  needs: sftp.save,
  page,
  async revert(actor, request, { key, fingerprint }) {
    const now = await listKeys(actor, request.target)
    if (!now.ok) return now
    if (findKey(now.data, fingerprint)) return tooLate('The site has this key again, so there is nothing to undo.')
    const added = await runInverse(actor, sftp.save, { ...request, about: fingerprint }, { key }, () =>
      checkState(listKeys(actor, request.target), (keys) => findKey(keys, fingerprint) !== undefined),
    )
    return added.ok ? { ok: true, data: { message: 'The key was added again.' } } : added
  },
})
