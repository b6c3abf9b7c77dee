/** Sends a job to one viewer: first the stored rows, then newly committed ones. */
import 'server-only'
import { inTurn } from '@/lib/portal/base/turns'
import { type JobEventView, type JobView, readJob, readLines } from '../view'
import type { JobNews } from './bus'
import type { ResumePoint } from './resume-point'

type Sink = Pick<ReadableStreamDefaultController<Uint8Array>, 'enqueue' | 'close' | 'desiredSize'>

const page = 200
// If more notifications than this are queued, the rows are read again instead.
const newsLimit = 100

const encoder = new TextEncoder()
// Encoded once for all viewers.
const encoded = new WeakMap<object, Uint8Array>()

function encodeOnce(value: object, render: () => string): Uint8Array {
  const bytes = encoded.get(value) ?? encoder.encode(render())
  encoded.set(value, bytes)
  return bytes
}

const renderLine = (line: JobEventView) => `id: ${line.seq}\nevent: line\ndata: ${JSON.stringify(line)}\n\n`
const renderLines = (lines: readonly JobEventView[]) => lines.map(renderLine).join('')
const renderState = (view: JobView) => `event: state\ndata: ${JSON.stringify(view)}\n\n`
const encodeLines = (lines: readonly JobEventView[]) => encodeOnce(lines, () => renderLines(lines))
const encodeState = (view: JobView) => encodeOnce(view, () => renderState(view))
// In one piece, because each piece is a write to each viewer.
const encodeNews = (news: JobNews) => encodeOnce(news, () => renderLines(news.lines) + renderState(news.view))
const opening = encoder.encode('retry: 2000\n\n')
const comeBack = encoder.encode('retry: 500\n\n')
const reset = encoder.encode('event: reset\ndata: {}\n\n')
const heartbeat = encoder.encode(': still here\n\n')

export type ViewerSessionOptions = {
  jobId: string
  from: ResumePoint
  sink: Sink
  /** How long a browser may stop reading while data is queued, before it is disconnected with `reset`. */
  patienceMs: number
  /** The viewer does not see the job's server, only a site of it. */
  hidesServer: boolean
}

/** `run` sends; the other methods are called on events in the meantime. */
export class ViewerSession {
  readonly #jobId: string
  readonly #sink: Sink
  readonly #patienceMs: number
  readonly #hidesServer: boolean
  readonly #reset: boolean
  #open = true
  #after: number
  #shown: JobView | null = null
  #news: JobNews[] = []
  #wake = () => {}

  constructor({ jobId, from, sink, patienceMs, hidesServer }: ViewerSessionOptions) {
    this.#jobId = jobId
    this.#sink = sink
    this.#patienceMs = patienceMs
    this.#hidesServer = hidesServer
    this.#after = from.after
    this.#reset = from.reset
  }

  /** Sends everything until the end of the job; settles early if the stream ends. */
  async run(): Promise<void> {
    const view = await readJob(this.#jobId)
    if (!view) return
    this.#send(opening)
    if (this.#reset) this.#send(reset)
    this.#show(view)
    await this.#catchUp()
    while (this.#open && !this.#isOver()) {
      await this.#wait(() => this.#news.length > 0)
      await this.#makeRoom()
      const news = this.#news.shift()
      if (!news || this.#take(news)) continue
      await this.#catchUp()
      this.#show(news.view)
    }
    if (this.#shown) this.#show(this.#shown)
  }

  /** Called after each commit. News dropped here appear as a gap later, and are read from the rows. */
  readonly tell = (news: JobNews): void => {
    this.#news.push(news)
    if (this.#news.length > newsLimit) this.#news = this.#news.slice(-1)
    this.#wake()
  }

  /** Sends a heartbeat, and the state if it changed without a notification. */
  readonly beat = async (): Promise<void> => {
    if (!this.#open || !this.#hasRoom()) return
    this.#send(heartbeat)
    const view = await readJob(this.#jobId)
    if (!view || this.#news.length > 0) return
    if (view.state === this.#shown?.state && view.endedAt === this.#shown.endedAt) return
    // Covers ends that were never published, such as that of a job replaced by another one; the stream then ends.
    this.tell({ lines: [], view })
  }

  /** Before the process ends: the browser is to come back soon, to another portal. */
  sendAway(): void {
    this.#send(comeBack)
  }

  /** Called when the browser has read something. */
  pulled(): void {
    this.#wake()
  }

  /** Ends the stream. */
  close(): void {
    if (this.#open) this.#sink.close()
    this.abandon()
  }

  /** The browser closed the stream, so it must not be closed again. */
  abandon(): void {
    this.#open = false
    this.#wake()
  }

  #send(bytes: Uint8Array): void {
    if (this.#open) this.#sink.enqueue(bytes)
  }

  #show(view: JobView): void {
    this.#shown = view
    this.#send(encodeState(this.#hidesServer ? { ...view, serverId: null } : view))
  }

  #sendLines(lines: readonly JobEventView[]): void {
    const last = lines.at(-1)
    if (!last) return
    this.#send(encodeLines(lines))
    this.#after = last.seq
  }

  async #catchUp(): Promise<void> {
    for (;;) {
      // One viewer at a time reads a page of rows, because database reads are synchronous.
      const lines = await inTurn(() => readLines(this.#jobId, this.#after, page))
      await this.#makeRoom()
      this.#sendLines(lines)
      if (!this.#open || lines.length < page) return
    }
  }

  /** False if lines in between are missing. */
  #take(news: JobNews): boolean {
    const { lines, view, unread = false } = news
    if (unread) return false
    const fresh = lines.filter(({ seq }) => seq > this.#after)
    if (fresh.length > 0 && fresh[0]?.seq !== this.#after + 1) return false
    if (fresh.length === 0 && view.endedAt !== null && this.#after < view.eventCount) return false
    if (fresh.length < lines.length || this.#hidesServer) {
      this.#sendLines(fresh)
      this.#show(view)
      return true
    }
    this.#send(encodeNews(news))
    this.#shown = view
    this.#after = lines.at(-1)?.seq ?? this.#after
    return true
  }

  #isOver(): boolean {
    return this.#shown !== null && this.#shown.endedAt !== null && this.#after >= this.#shown.eventCount
  }

  #hasRoom(): boolean {
    return (this.#sink.desiredSize ?? 0) > 0
  }

  async #makeRoom(): Promise<void> {
    if (await this.#wait(() => this.#hasRoom(), this.#patienceMs)) return
    this.#send(reset)
    this.close()
  }

  /** Waits for `ready`, the end of the stream, or the time limit. Returns whether it is ready. */
  async #wait(ready: () => boolean, ms?: number): Promise<boolean> {
    let late = false
    const expire = () => {
      late = true
      this.#wake()
    }
    const timer = ms === undefined ? null : setTimeout(expire, ms)
    while (this.#open && !late && !ready()) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
    if (timer) clearTimeout(timer)
    return ready()
  }
}
