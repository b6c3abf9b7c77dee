/** Queues a job's lines and stores them in batches small enough not to block the process noticeably. */
import 'server-only'
import { insertJobLines, type JobLine } from '@/lib/portal/base/sql/job-lines'
import type { Prisma } from '@/prisma/generated/portal/client'

/** A line that has no number yet. upstreamId: the service's own number, if it sent a usable one. */
export type Line = { upstreamId: number | null; at: Date; step: string; progress: number | null; status: string; message: string }
export type Row = Line & { seq: number }

// Database writes are synchronous, so they block the process.
const maxRows = 200
const maxCharacters = 400_000
// All rows of a batch get the time of the first.
const maxSpanMs = 50

const lengthOf = ({ message, step }: Row): number => message.length + step.length

/** The queued rows, oldest first. */
export class WaitingRows {
  #rows: Row[] = []
  #characters = 0

  add(row: Row): void {
    this.#rows.push(row)
    this.#characters += lengthOf(row)
  }

  /** Whether a whole batch is queued; the caller should write it before reading more. */
  get full(): boolean {
    return this.#rows.length >= maxRows || this.#characters >= maxCharacters
  }

  get empty(): boolean {
    return this.#rows.length === 0
  }

  /** Takes the next batch; empty if nothing is queued. */
  take(): Row[] {
    const [first] = this.#rows
    if (!first) return []
    const until = first.at.getTime() + maxSpanMs
    let [count, characters] = [0, 0]
    for (const row of this.#rows) {
      if (count > 0 && (count >= maxRows || characters + lengthOf(row) > maxCharacters || row.at.getTime() > until)) break
      count += 1
      characters += lengthOf(row)
    }
    this.#characters -= characters
    return this.#rows.splice(0, count)
  }
}

/** Runs in the caller's transaction. */
export async function insertRows(tx: Prisma.TransactionClient, jobId: string, rows: readonly Row[]): Promise<void> {
  const [first] = rows
  if (!first) return
  const lines = rows.map(
    ({ seq, upstreamId, step, progress, status, message }): JobLine => [seq, upstreamId, clean(step), progress, status, clean(message)],
  )
  await insertJobLines(tx, jobId, lines, first.at)
}

/** Removes characters that the database's JSON functions would truncate at or refuse: NUL, and unpaired surrogates. */
const clean = (text: string): string => Buffer.from(text.replaceAll('\0', '\ufffd')).toString()
