import type { JobEventView, JobView } from '@/lib/portal/jobs/view'
import { expectAnswer } from '../frame/portal-link'
import { read } from '../reads/read'
import { portalRead } from '../reads/read-address'

/** Updates of a job. reset: what was shown is invalid. link: whether updates currently arrive automatically. */
export type JobNews =
  | { kind: 'lines'; lines: readonly JobEventView[] }
  | { kind: 'state'; job: JobView }
  | { kind: 'reset' }
  | { kind: 'link'; stream: 'live' | 'waiting' }

export type JobTail = {
  /** The last known line, 0 for none. */
  last(): number
  /** Passes updates on: skips known lines, and reads missing ones. */
  take(news: JobNews): void
  /** Reads the state and the lines after the last known one; never rejects. `emit` receives it instead of `take`. */
  catchUp(emit?: (news: JobNews) => void): Promise<void>
}

/** Keeps a job's lines in order and without gaps, however they arrive. */
export function createTail(jobId: string, after: number, hear: (news: JobNews) => void): JobTail {
  let last = after
  let reading: Promise<void> | null = null
  const take = (news: JobNews): void => {
    if (news.kind !== 'lines') {
      if (news.kind === 'reset') last = 0
      hear(news)
      return
    }
    const fresh = news.lines.filter(({ seq }) => seq > last)
    const [first, newest] = [fresh[0], fresh.at(-1)]
    if (!first || !newest) return
    if (first.seq > last + 1) {
      void catchUp()
      return
    }
    last = newest.seq
    hear({ kind: 'lines', lines: fresh })
  }
  const readOn = async (emit: (news: JobNews) => void): Promise<void> => {
    for (;;) {
      const before = last
      const { data } = await read(portalRead('/api/jobs/[jobId]', { jobId, after: String(before) }))
      emit({ kind: 'lines', lines: data.events })
      emit({ kind: 'state', job: data.job })
      if (last >= data.job.eventCount || last === before) return
    }
  }
  const catchUp = (emit = take): Promise<void> => {
    reading ??= readOn(emit)
      .then(
        () => hear({ kind: 'link', stream: 'live' }),
        () => hear({ kind: 'link', stream: 'waiting' }),
      )
      .finally(() => {
        reading = null
      })
    return reading
  }
  return { last: () => last, take, catchUp }
}

const reopenMs = 3_000

/** Reads a job's stream after the tail's last line, and reopens it when it breaks. Returns the function that closes it. */
export function openJobStream(jobId: string, tail: JobTail, emit: (news: JobNews) => void): () => void {
  let source: EventSource | null = null
  let reopening: ReturnType<typeof setTimeout> | undefined
  const open = () => {
    const opened = new EventSource(`/api/jobs/${encodeURIComponent(jobId)}/events?after=${tail.last()}`)
    const report = expectAnswer()
    source = opened
    opened.addEventListener('open', () => {
      emit({ kind: 'link', stream: 'live' })
      report('up')
    })
    opened.addEventListener('line', (event) => emit({ kind: 'lines', lines: [JSON.parse(event.data)] }))
    opened.addEventListener('state', (event) => emit({ kind: 'state', job: JSON.parse(event.data) }))
    opened.addEventListener('reset', () => {
      opened.close()
      emit({ kind: 'reset' })
      open()
    })
    opened.addEventListener('error', () => {
      emit({ kind: 'link', stream: 'waiting' })
      // The browser reconnects automatically unless it was refused; then we check the job's state, and reconnect later.
      if (opened.readyState !== EventSource.CLOSED) return
      void tail.catchUp(emit)
      reopening = setTimeout(open, reopenMs)
    })
  }
  open()
  return () => {
    clearTimeout(reopening)
    source?.close()
  }
}
