/** One line of the head file: JSON with the last row of the audit log at one moment, and a MAC. */
import 'server-only'
import { createHmac } from 'node:crypto'
import { sameMac } from '../chain'

/**
 * head: this was the log's last row. begun: the same, as the first line of a file. begun-again: an earlier file has disappeared.
 * put-back: an administrator restored the log to this row and dropped `lost` rows; both logs are equal up to row `shared`.
 */
export type HeadKind = 'head' | 'begun' | 'begun-again' | 'put-back'

/** at: ISO time. seq 0 with an empty `row`: the log was empty. row: that row's mac. */
export type Head = { kind: HeadKind; at: string; seq: number; row: string; lost: number; shared: number }

/** A copy of the encrypted key that signs the heads; sealed is base64. The newest copy counts, because a rotation appends another. */
export type KeyLine = { kind: 'key'; id: string; sealed: string }

const macOf = (key: Buffer, { kind, at, seq, row, lost, shared }: Head): string =>
  createHmac('sha256', key)
    .update(JSON.stringify(['gatehouse audit head', kind, at, seq, row, lost, shared]))
    .digest('hex')

export const renderHead = (key: Buffer, head: Head): string => JSON.stringify({ ...head, mac: macOf(key, head) })

export const renderKeyLine = ({ id, sealed }: Omit<KeyLine, 'kind'>): string => JSON.stringify({ kind: 'key', id, sealed })

/** Null if the line is not a JSON object, for example after an interrupted write. */
export function parseLine(line: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? { ...value } : null
  } catch {
    return null
  }
}

export function readKeyLine({ kind, id, sealed }: Record<string, unknown>): KeyLine | null {
  return kind === 'key' && typeof id === 'string' && typeof sealed === 'string' ? { kind, id, sealed } : null
}

/** Null unless the line's MAC is valid. */
export function readHead(key: Buffer, line: Record<string, unknown>): Head | null {
  const { kind, at, seq, row, lost, shared, mac } = line
  if (!isHeadKind(kind) || typeof at !== 'string' || typeof seq !== 'number') return null
  if (typeof row !== 'string' || typeof lost !== 'number' || typeof shared !== 'number' || typeof mac !== 'string') return null
  const head = { kind, at, seq, row, lost, shared }
  return sameMac(macOf(key, head), mac) ? head : null
}

const isHeadKind = (kind: unknown): kind is HeadKind => kind === 'head' || kind === 'begun' || kind === 'begun-again' || kind === 'put-back'
