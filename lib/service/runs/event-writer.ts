/** Writes a run's events in batches, so that even a flood of them does not block the rest of the service. */
import { setTimeout as pause } from 'node:timers/promises'
import { createLineGate, formatLeftOut, type Kept } from '@/lib/contract/kept-lines'
import { appendEvents, countEvents, type NewEvent, type Run } from '../store/runs'
import type { Store } from '../store/store'

export type EventWriter = {
  /** Queues an event; the promise settles later only if writing falls behind. An event that ends the run settles when it is stored. */
  write(event: NewEvent): Promise<void>
  /** Queues an event with the number of lines omitted so far; called when no line is waiting. */
  pause(): void
  /** Settles when all queued events are stored. */
  flush(): Promise<void>
}

const batchSize = 200
// While lines are omitted, reading from the server is slowed down by this many milliseconds per this many lines.
const floodPauseMs = 10
const floodLines = 500

/** Calls `stored` after each batch. After a failed write, every later one fails with the same error. */
export async function openEventWriter(store: Store, run: Run, stored: () => void): Promise<EventWriter> {
  const gate = createLineGate<NewEvent>(({ message, error = '' }) => message.length + error.length, await countEvents(store, run.id))
  const waiting: NewEvent[] = []
  let writing: Promise<void> | null = null
  let failure: unknown = null
  let [step, progress, sinceTurn] = ['', -1, 0]

  const writeWaiting = async () => {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, batchSize)
      await appendEvents(store, run, batch)
      waiting.splice(0, batch.length)
      stored()
      await pause(0)
    }
  }
  const flush = async (): Promise<void> => {
    if (failure) throw failure
    writing ??= writeWaiting()
      .catch((error: unknown) => {
        failure = error
        throw error
      })
      .finally(() => {
        writing = null
      })
    return writing
  }
  const keep = (kept: readonly Kept<NewEvent>[]) => {
    waiting.push(...kept.map((each) => (each.kind === 'line' ? each.line : markOf(each))))
  }
  return {
    flush,
    pause: () => keep(gate.pause()),
    async write(event) {
      if (failure) throw failure
      const news = event.step !== step || event.progress !== progress
      ;[step, progress] = [event.step, event.progress]
      const ended = event.status !== 'running'
      keep(ended ? gate.end(event) : gate.take(event, news))
      sinceTurn += 1
      if (ended || waiting.length >= batchSize) await flush()
      else if (gate.gapOpen && sinceTurn >= floodLines) {
        sinceTurn = 0
        await pause(floodPauseMs)
      } else flush().catch(() => {})
    },
  }
}

/** The event that replaces omitted ones. */
function markOf({ count, last }: Kept<NewEvent> & { kind: 'left-out' }): NewEvent {
  const { step, progress, hostLine } = last
  return { step, progress, status: 'running', message: formatLeftOut(count), ...(hostLine !== undefined && { hostLine }) }
}
