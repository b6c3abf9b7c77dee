/** Adds and removes SFTP keys of a site. */
import 'server-only'
import { sftpKey } from '@/lib/contract/fields'
import { limitRefusal } from '@/lib/contract/limits'
import { sftp } from '@/lib/contract/operations/sftp'
import { type Outcome, problem } from '@/lib/contract/problem'
import { decide } from '@/lib/portal/access/decide'
import type { OwnInput } from '@/lib/portal/spine/guarded-action'
import { readPublicKey } from '@/lib/text/public-key'
import { runOperation } from '../spine'
import { keepUndo, refuseChange, type Undoable } from '../undoable/kept'
import { kept } from '../undoable/kind'
import { findKey, listKeys, nameKey } from './keys'
import { undoKeyAdd, undoKeyRemoval } from './undo-keys'

/** Reads `siteId` and `key`. What is no public key, and above all a private one, is not sent to the service. */
export async function addKey({ actor, requestId, field }: OwnInput): Promise<Outcome<Undoable>> {
  const siteId = field('siteId')
  const may = await decide(actor, sftp.save, { siteId })
  if (!may.ok) return may
  const given = field('key').trim()
  const privateKeyRefusal = limitRefusal(sftpKey, given)
  const read = privateKeyRefusal === null ? readPublicKey(given) : { refusal: privateKeyRefusal }
  if ('refusal' in read) return { ok: false, problem: problem('invalid', { fields: { key: read.refusal } }) }
  const { fingerprint, line } = read.key
  const undo = await keepUndo(actor, { requestId, subject: { kind: 'site', id: siteId } }, kept(undoKeyAdd, { fingerprint }))
  const saved = await runOperation(actor, sftp.save, { siteId }, { key: line }, { requestId, about: nameKey(read.key) })
  return saved.ok ? { ok: true, data: { undo } } : refuseChange(undo, saved.problem)
}

/** Reads `siteId` and `fingerprint`. Reads the key first, to add it again. One that the server limits by options could not come back with them. */
export async function removeKey({ actor, requestId, field }: OwnInput): Promise<Outcome<Undoable>> {
  const [siteId, fingerprint] = [field('siteId'), field('fingerprint')]
  const may = await decide(actor, sftp.delete, { siteId })
  if (!may.ok) return may
  const listed = await listKeys(actor, { siteId })
  if (!listed.ok) return listed
  const present = findKey(listed.data, fingerprint)
  const inverse = present?.key ? kept(undoKeyRemoval, { key: present.key, fingerprint }) : null
  const undo = await keepUndo(actor, { requestId, subject: { kind: 'site', id: siteId } }, inverse)
  const about = present ? { about: nameKey(present) } : {}
  const removed = await runOperation(actor, sftp.delete, { siteId }, { fingerprint }, { requestId, ...about })
  return removed.ok ? { ok: true, data: { undo } } : refuseChange(undo, removed.problem)
}
