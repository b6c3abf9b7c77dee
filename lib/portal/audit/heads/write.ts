/** Records the last row of the audit log outside the database: once a minute, at each stop, and before an intended restore. */
import 'server-only'
import { log } from '@/lib/log'
import { db } from '@/lib/portal/base/db'
import { processState } from '@/lib/portal/base/process-state'
import { appendLines, findHeadFile } from './file'
import { createHeadKey, findHeadKey, findMissingCopy, type HeadKey, headKeyStored } from './key'
import { type Head, renderHead, renderKeyLine } from './line'

type LastRow = { seq: number; row: string }

type Writer = {
  tail: Promise<unknown>
  /** The last row that this process recorded, together with the file and key. */
  written?: string
  file?: number
  headKey?: HeadKey
}

const state = processState('heads', (): Writer => ({ tail: Promise.resolve() }))

const everyMs = 60_000

/** A younger key may come from a start that was killed before it wrote the first line. */
const startMs = 10 * 60_000

/** Writes the head immediately and then once a minute. */
export async function startHeads(): Promise<void> {
  await writeHead()
  setInterval(() => void writeHead(), everyMs).unref()
}

/**
 * Appends the log's last row to the head file and prints it as a log line, unless this process has already done so. Never rejects: a
 * failed write is logged and retried by the next call, and `keys -- verify` reports rows without a head.
 */
export function writeHead(): Promise<void> {
  return inOrder(async (writer) => {
    try {
      const last = await findLastRow()
      if (last.seq === 0 || writer.written === last.row) return
      await append(writer, { kind: 'head', at: new Date().toISOString(), ...last, lost: 0, shared: 0 })
      writer.written = last.row
      log.info({ seq: last.seq, mark: last.row }, 'audit log head')
    } catch (error) {
      log.error({ err: error }, 'the head of the audit log could not be written')
    }
  })
}

/** Copies the encrypted head key into the file after a rotation re-encrypted it. */
export function writeHeadAfterRotation(): Promise<void> {
  delete state().written
  return writeHead()
}

export type Restore = {
  /** The last row of the copy; seq 0 and an empty `row` if it has none. */
  to: LastRow
  /** The last row number of the database that is being replaced. */
  lastSeq: number
  /** The last row number up to which both are equal. */
  shared: number
}

/**
 * Records that an administrator is about to replace the database with another copy, so that heads of rows missing from the copy count as
 * restored rather than cut off. Call it before the swap, while the current database still has the key. If the swap then fails, call
 * `writeHead` again to record the end of the current log. Rejects if the record cannot be written.
 */
export function noteRestore({ to, lastSeq, shared }: Restore): Promise<void> {
  return inOrder(async (writer) => {
    await append(writer, { kind: 'put-back', at: new Date().toISOString(), ...to, lost: Math.max(0, lastSeq - shared), shared })
    writer.written = to.row
  })
}

/** Serialises the writes of this process. */
function inOrder<T>(work: (writer: Writer) => Promise<T>): Promise<T> {
  const writer = state()
  const done = writer.tail.then(() => work(writer))
  writer.tail = done.catch(() => {})
  return done
}

async function findLastRow(): Promise<LastRow> {
  const last = await db().auditRow.findFirst({ orderBy: { seq: 'desc' }, select: { seq: true, mac: true } })
  return { seq: last?.seq ?? 0, row: last?.mac ?? '' }
}

async function append(writer: Writer, head: Head): Promise<void> {
  const file = await findHeadFile()
  const again = file === null && (await headKeyStored(startMs))
  if (!writer.headKey || file === null || file !== writer.file)
    writer.headKey = (file === null ? null : await findHeadKey()) ?? (await createHeadKey())
  const { headKey } = writer
  const copy = await findMissingCopy(headKey)
  const begun: Head[] = file === null ? [{ ...head, kind: again ? 'begun-again' : 'begun', lost: 0, shared: 0 }] : []
  // A head right after its own first line would be redundant.
  const heads = file === null && head.kind === 'head' ? begun : [...begun, head]
  await appendLines([...(copy ? [renderKeyLine(copy)] : []), ...heads.map((each) => renderHead(headKey.key, each))])
  if (copy) headKey.sealed = copy.sealed
  writer.file = (await findHeadFile()) ?? 0
}
