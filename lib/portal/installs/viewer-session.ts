/** What one viewer is sent, in order: catching up from the rows, then following what is committed. */
import 'server-only'
import { type JobEventView, type JobView, readJob, readLines } from '../jobs/view'
import type { JobNews } from './bus'
import type { ResumePoint } from './resume-point'

export type ViewerSession = {
  /** Sends everything to the end of the job; settles early when closed. */
  run(): Promise<void>
  tell(news: JobNews): void
  /** A sign of life, and the state where silence alone has changed it. */
  beat(): Promise<void>
  /** The browser took something. */
  pulled(): void
  close(): void
}

type Sink = Pick<ReadableStreamDefaultController<Uint8Array>, 'enqueue' | 'close' | 'desiredSize'>

const page = 500
// More news than this waiting, and the rows are read again instead.
const newsLimit = 100

const encoder = new TextEncoder()
// Encoded once however many watch.
const encoded = new WeakMap<object, Uint8Array>()

function encodeOnce(value: object, render: () => string): Uint8Array {
  const bytes = encoded.get(value) ?? encoder.encode(render())
  encoded.set(value, bytes)
  return bytes
}

const renderLine = (line: JobEventView) => `id: ${line.seq}\nevent: line\ndata: ${JSON.stringify(line)}\n\n`
const encodeLines = (lines: readonly JobEventView[]) => encodeOnce(lines, () => lines.map(renderLine).join(''))
const encodeState = (view: JobView) => encodeOnce(view, () => `event: state\ndata: ${JSON.stringify(view)}\n\n`)
const opening = encoder.encode('retry: 2000\n\n')
const reset = encoder.encode('event: reset\ndata: {}\n\n')
const heartbeat = encoder.encode(': still here\n\n')

/** `patienceMs`: how long a browser may take nothing while there is something for it, before it is let go with `reset`. */
export function createViewerSession(jobId: string, from: ResumePoint, sink: Sink, patienceMs: number): ViewerSession {
  let open = true
  let after = from.after
  let shown: JobView | null = null
  let news: JobNews[] = []
  let wake = () => {}

  const send = (bytes: Uint8Array) => {
    if (open) sink.enqueue(bytes)
  }
  const show = (view: JobView) => {
    shown = view
    send(encodeState(view))
  }
  const close = () => {
    if (!open) return
    open = false
    sink.close()
    wake()
  }
  /** Until `ready`, or closed, or the time is over (false). */
  const wait = async (ready: () => boolean, ms?: number): Promise<boolean> => {
    let late = false
    const expire = () => {
      late = true
      wake()
    }
    const timer = ms === undefined ? null : setTimeout(expire, ms)
    while (open && !late && !ready()) {
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
    if (timer) clearTimeout(timer)
    return ready()
  }
  const makeRoom = async () => {
    if (await wait(() => (sink.desiredSize ?? 0) > 0, patienceMs)) return
    send(reset)
    close()
  }
  const sendLines = (lines: readonly JobEventView[]) => {
    const last = lines.at(-1)
    if (!last) return
    send(encodeLines(lines))
    after = last.seq
  }
  const catchUp = async () => {
    for (;;) {
      const lines = await readLines(jobId, after, page)
      await makeRoom()
      sendLines(lines)
      if (!open || lines.length < page) return
    }
  }
  /** False where lines between were missed. */
  const takeNews = ({ lines, view }: JobNews): boolean => {
    const fresh = lines.filter(({ seq }) => seq > after)
    if (fresh.length > 0 && fresh[0]?.seq !== after + 1) return false
    sendLines(fresh.length === lines.length ? lines : fresh)
    show(view)
    return true
  }
  const isOver = () => shown !== null && shown.endedAt !== null && after >= shown.eventCount

  return {
    close,
    pulled: () => wake(),
    tell(item) {
      news.push(item)
      // What is dropped shows as a gap, and is read from the rows.
      if (news.length > newsLimit) news = news.slice(-1)
      wake()
    },
    async beat() {
      if (!open || (sink.desiredSize ?? 0) <= 0) return
      send(heartbeat)
      const view = await readJob(jobId)
      if (open && view && view.state !== shown?.state && news.length === 0) show(view)
    },
    async run() {
      const view = await readJob(jobId)
      if (!view) return
      send(opening)
      if (from.reset) send(reset)
      show(view)
      await catchUp()
      while (open && !isOver()) {
        await wait(() => news.length > 0)
        await makeRoom()
        const item = news.shift()
        if (!item || takeNews(item)) continue
        await catchUp()
        show(item.view)
      }
      if (shown) show(shown)
    },
  }
}
