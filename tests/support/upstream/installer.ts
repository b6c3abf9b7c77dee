/** Installs of the test upstream: they run independently of the streams that show them. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Fault } from './faults'
import type { Model } from './model'
import { phpWarning, type StreamEvent, streamType, type Variant, writeStreamEvent } from './variants'

export type InstallOptions = {
  /** Milliseconds between two lines. Default 5. */
  msPerLine: number
  /** Lines of one installation. Default 10. */
  installLines: number
  /** How long an installation says nothing after its first three lines, in milliseconds. Default 0. */
  silentMs: number
  /** Whether installations end in failure. Default false. */
  installFails: boolean
  /** Lines after which cut-stream, cut-in-line and stalled-stream do their harm. Default half of them. */
  cutAfter: number
  /** Whether each line ends with the moment it was sent, in milliseconds since 1970. Default false. */
  stamped: boolean
}

const linesBeforeSilence = 3

/** silentUntil: ms since 1970, 0 before the silence begins. */
type Run = { events: StreamEvent[]; silentUntil: number; over: boolean; timer: NodeJS.Timeout; viewers: Set<() => void> }

export type Installer = {
  serve(id: string, request: IncomingMessage, response: ServerResponse, variants: ReadonlySet<Variant>, fault: Fault | undefined): void
  starts(serverId: string): number
  openStreams(): number
  stop(): void
}

const steps = ['packages', 'webserver', 'database', 'mail', 'firewall']

function makeEvent(
  id: number,
  index: number,
  lines: number,
  { installFails: fails = false, stamped }: Partial<InstallOptions>,
): StreamEvent {
  const last = index === lines - 1
  const step = steps[Math.floor((index * steps.length) / lines)] ?? 'packages'
  const status = last ? (fails ? 'failed' : 'done') : 'running'
  const stamp = stamped ? ` ${performance.timeOrigin + performance.now()}` : ''
  const message = last && fails ? 'E: Unable to locate package' : `Line ${index + 1} of ${lines}: größer — ✓${stamp}`
  return {
    id,
    message,
    step,
    progress: Math.round(((index + 1) * 100) / lines),
    status,
    ...(last && fails && { error: 'The step failed.' }),
  }
}

/** A foreign service sends the message and the id alone, unless the test asks for progress too. */
function asForeign({ id, message, progress, error }: StreamEvent, variants: ReadonlySet<Variant>): StreamEvent {
  return { message, id, ...(variants.has('progress') && { progress }), ...(error !== undefined && { error }) }
}

export function createInstaller(model: Model, options: Partial<InstallOptions>): Installer {
  const lines = options.installLines ?? 10
  const cutAfter = options.cutAfter ?? Math.floor(lines / 2)
  const runs = new Map<string, Run>()
  const started = new Map<string, number>()
  const lastIds = new Map<string, number>()
  let open = 0

  const step = (serverId: string, run: Run) => {
    if (run.events.length === linesBeforeSilence) {
      run.silentUntil ||= Date.now() + (options.silentMs ?? 0)
      if (Date.now() < run.silentUntil) return
    }
    const before = model.extensions ? (lastIds.get(serverId) ?? 0) : run.events.length
    run.events.push(makeEvent(before + 1, run.events.length, lines, options))
    lastIds.set(serverId, before + 1)
    run.over = run.events.length >= lines
    if (run.over) {
      clearInterval(run.timer)
      const server = model.servers.get(serverId)
      if (server) server.state = options.installFails ? 'failed' : 'ready'
    }
    for (const tell of run.viewers) tell()
  }
  const begin = (serverId: string): Run => {
    clearInterval(runs.get(serverId)?.timer)
    started.set(serverId, (started.get(serverId) ?? 0) + 1)
    const server = model.servers.get(serverId)
    if (server) server.state = 'installing'
    const run: Run = {
      events: [],
      silentUntil: 0,
      over: false,
      viewers: new Set(),
      timer: setInterval(() => step(serverId, run), options.msPerLine ?? 5),
    }
    runs.set(serverId, run)
    return run
  }
  const choose = (serverId: string, resuming: boolean): Run | undefined => {
    const newest = runs.get(serverId)
    if (!model.extensions) return begin(serverId)
    return resuming || (newest && !newest.over) ? newest : begin(serverId)
  }

  const show = (run: Run, after: number, response: ServerResponse, variants: ReadonlySet<Variant>, fault: Fault | undefined) => {
    let sent = run.events.findIndex((event) => event.id > after)
    if (sent < 0) sent = run.events.length
    const tell = () => {
      for (; sent < run.events.length; sent += 1) {
        if (sent >= cutAfter && fault === 'stalled-stream') return
        if (sent >= cutAfter && fault === 'cut-stream') return void response.destroy()
        const event = run.events[sent]
        if (!event) return
        const written = writeStreamEvent(model.extensions ? event : asForeign(event, variants), variants)
        if (sent >= cutAfter && fault === 'cut-in-line') {
          response.write(written.slice(0, written.length / 2), () => response.destroy())
          return
        }
        response.write(written)
      }
      if (run.over) response.end()
    }
    open += 1
    run.viewers.add(tell)
    response.once('close', () => {
      open -= 1
      run.viewers.delete(tell)
    })
    const type = streamType(variants)
    response.writeHead(200, type === null ? {} : { 'content-type': type })
    response.flushHeaders()
    if (variants.has('php-warning')) response.write(phpWarning)
    tell()
  }

  return {
    serve(serverId, request, response, variants, fault) {
      const given = model.extensions ? request.headers['last-event-id'] : undefined
      const run = choose(serverId, given !== undefined)
      if (!run) {
        const body = { success: false, error: 'There is no installation.', code: 'no_install' }
        response.writeHead(404, { 'content-type': 'application/json' }).end(JSON.stringify(body))
        return
      }
      if (fault === 'reset-after') return void response.destroy()
      if (fault === 'hang-after') return
      if (given !== undefined && run.over && !run.events.some((event) => event.id > Number(given))) {
        response.writeHead(204).end()
        return
      }
      show(run, Number(given ?? 0), response, variants, fault)
    },
    starts: (serverId) => started.get(serverId) ?? 0,
    openStreams: () => open,
    stop: () => {
      for (const run of runs.values()) clearInterval(run.timer)
    },
  }
}
