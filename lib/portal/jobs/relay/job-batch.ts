/** Lines of a job on their way into the database: in batches that are written fast enough for nobody to notice. */
import 'server-only'
import type { Prisma } from '@/prisma/generated/portal/client'

/** A line before it has its number. upstreamId: the service's own number, where it gave one that can be kept. */
export type Line = { upstreamId: number | null; at: Date; step: string; progress: number | null; status: string; message: string }
export type Row = Line & { seq: number }

// The database is written synchronously, and everything else waits meanwhile.
const maxRows = 200
const maxCharacters = 400_000
// Rows of one batch share their time, which is that of the first.
const maxSpanMs = 50

const lengthOf = ({ message, step }: Row): number => message.length + step.length

/** The rows that wait, oldest first. */
export class WaitingRows {
  #rows: Row[] = []
  #characters = 0

  add(row: Row): void {
    this.#rows.push(row)
    this.#characters += lengthOf(row)
  }

  /** Whether a whole batch waits: nothing more is to be read before it is written. */
  get full(): boolean {
    return this.#rows.length >= maxRows || this.#characters >= maxCharacters
  }

  get empty(): boolean {
    return this.#rows.length === 0
  }

  /** Takes the next batch; empty when nothing waits. */
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

/** As one statement with one list, which the database takes apart itself: row by row it would take twenty times as long. */
export async function insertRows(tx: Prisma.TransactionClient, jobId: string, rows: readonly Row[]): Promise<void> {
  const [first] = rows
  if (!first) return
  const list = rows.map(({ seq, upstreamId, step, progress, status, message }) => [
    seq,
    upstreamId,
    clean(step),
    progress,
    status,
    clean(message),
  ])
  await tx.$executeRaw`
    INSERT INTO "JobEvent" ("jobId", "seq", "upstreamId", "at", "step", "progress", "status", "message")
    SELECT ${jobId}, value->>0, value->>1, ${first.at}, value->>2, value->>3, value->>4, value->>5 FROM json_each(${JSON.stringify(list)})`
}

/** Texts that JSON of the database would end at or refuse: a zero character, half of a pair. */
const clean = (text: string): string => Buffer.from(text.replaceAll('\0', '\ufffd')).toString()
