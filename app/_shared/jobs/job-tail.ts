import type { JobEventView, JobView } from '@/lib/portal/jobs/view'
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
