/** Reads from the head file what the audit log must contain. */
import 'server-only'
import { getSettings } from '@/lib/settings/settings'
import { headFileExists, readLines } from './file'
import { findHeadKey } from './key'
import { type Head, parseLine, readHead, readKeyLine } from './line'

export type Seen = { at: string; row: string; turn: number }

/**
 * rows: by row number, the row's mac and the time of its head; turn increases with each line of the file. missing: there is no
 * file. notes: remarks that are not violations.
 */
export type KeptHeads = { rows: Map<number, Seen>; last: Head | null; notes: string[]; missing: boolean; trouble: string | null }

/** Reads the file. `trouble` is one sentence if the file is missing or cannot be trusted. */
export async function readKeptHeads(): Promise<KeptHeads> {
  const kept: KeptHeads = { rows: new Map(), last: null, notes: [], missing: !headFileExists(), trouble: null }
  const path = getSettings().portalAuditHeads
  if (kept.missing)
    return { ...kept, trouble: `The file of signed heads ${path} is missing, so entries cut off at the end cannot be detected.` }
  const headKey = await findHeadKey()
  if (!headKey)
    return { ...kept, trouble: `The file of signed heads ${path} cannot be checked: its key is missing or cannot be decrypted.` }
  let [number, cutOff] = [0, 0]
  for await (const text of readLines()) {
    number += 1
    const line = parseLine(text)
    if (!line) cutOff += 1
    else if (!readKeyLine(line)) {
      const head = readHead(headKey.key, line)
      if (head) take(kept, head, number)
      else kept.trouble ??= `Line ${number} of ${path} was changed.`
    }
  }
  if (cutOff > 0) kept.notes.push(`${cutOff} ${cutOff === 1 ? 'line' : 'lines'} of ${path} cannot be read: a write was interrupted.`)
  return kept
}

function take(kept: KeptHeads, head: Head, turn: number): void {
  const { kind, at, seq, row } = head
  if (kind === 'begun' && seq > 0) kept.notes.push(`The signed heads begin on ${at}, at entry ${seq}.`)
  if (kind === 'begun-again') kept.trouble ??= `The file of signed heads was missing on ${at} and started again at entry ${seq}.`
  if (kind === 'put-back') putBack(kept, head)
  kept.last = head
  // The first head of a row counts, because a row's mac never changes.
  if (seq > 0 && !kept.rows.has(seq)) kept.rows.set(seq, { at, row, turn })
}

/** Rows dropped by an intended restore are no longer expected; rows that both logs share still are. */
function putBack(kept: KeptHeads, { at, seq, lost, shared }: Head): void {
  let many = lost
  for (const later of kept.rows.keys()) {
    if (later <= shared) continue
    many = Math.max(many, later - shared)
    kept.rows.delete(later)
  }
  kept.notes.push(`The log was restored to entry ${seq} on ${at}, which dropped ${many} ${many === 1 ? 'entry' : 'entries'}.`)
}
