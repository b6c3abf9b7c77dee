import { expectAnswer } from '../frame/portal-link'
import type { JobNews, JobTail } from './job-tail'

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
