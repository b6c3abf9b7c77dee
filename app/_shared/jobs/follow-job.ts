import { createTail, type JobNews, type JobTail, openJobStream } from './job-stream'

/** How often a tab reads: when nothing else informs it, and as a safeguard when another tab does. */
const pollMs = 2_000
const backstopMs = 15_000

/**
 * How many streams a browser keeps open across all its tabs. Without HTTP/2 it has six connections to the portal: with one stream per
 * tab, the seventh tab would not load.
 */
const maxStreams = 3

/**
 * Follows a job until the returned function is called. Tabs that follow the same job share one stream: one of them reads it and tells the
 * others; when it closes, another takes over. If tabs cannot coordinate (locks need https or localhost), each polls on its own.
 */
export function followJob(jobId: string, after: number, hear: (news: JobNews) => void): () => void {
  const tail = createTail(jobId, after, hear)
  if (!('locks' in navigator) || !('BroadcastChannel' in globalThis)) return every(pollMs, () => tail.catchUp())
  const name = `gatehouse-job-${jobId}`
  const channel = new BroadcastChannel(name)
  channel.addEventListener('message', ({ data }: MessageEvent<JobNews>) => {
    tail.take(data)
    if (data.kind === 'state' && data.job.eventCount > tail.last()) void tail.catchUp()
  })
  const leaving = new AbortController()
  const stopReading = every(backstopMs, () => tail.catchUp())
  const emit = (news: JobNews) => {
    if (leaving.signal.aborted) return
    // The other tabs first: whoever hears the end here may leave at once, which closes the channel.
    channel.postMessage(news)
    tail.take(news)
  }
  withLock(name, leaving.signal, () => lead(jobId, tail, emit, leaving.signal))
  return () => {
    leaving.abort()
    stopReading()
    channel.close()
  }
}

/** This tab reads for all, through a stream if one is available, else by polling, until it leaves. */
async function lead(jobId: string, tail: JobTail, emit: (news: JobNews) => void, leaving: AbortSignal): Promise<void> {
  const stopAsking = every(pollMs, () => tail.catchUp(emit))
  let closeStream = () => {}
  takeSlot(leaving, () => {
    stopAsking()
    closeStream = openJobStream(jobId, tail, emit)
  })
  await ended(leaving)
  stopAsking()
  closeStream()
}

/** Calls `taken` once, as soon as one of the browser's streams is free, and keeps it until the signal. */
function takeSlot(leaving: AbortSignal, taken: () => void): void {
  const found = new AbortController()
  const waiting = AbortSignal.any([leaving, found.signal])
  for (let slot = 1; slot <= maxStreams; slot += 1) {
    withLock(`gatehouse-stream-${slot}`, waiting, async () => {
      if (found.signal.aborted || leaving.aborted) return
      found.abort()
      taken()
      await ended(leaving)
    })
  }
}

/** Does something under a browser lock, which all tabs share, unless the signal comes first. */
function withLock(name: string, signal: AbortSignal, act: () => Promise<void>): void {
  navigator.locks.request(name, { signal }, act).catch(() => {
    // The tab left before its turn came.
  })
}

const ended = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })

/** Runs now, and again after each pause. Returns the function that stops it. */
function every(ms: number, act: () => Promise<void>): () => void {
  let stopped = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const go = async () => {
    await act()
    if (!stopped) timer = setTimeout(go, ms)
  }
  void go()
  return () => {
    stopped = true
    clearTimeout(timer)
  }
}
