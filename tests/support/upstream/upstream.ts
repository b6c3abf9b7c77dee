/**
 * A test upstream: a small HTTP service that speaks every operation from memory, knows nothing of lib/ but which there are, and can be told
 * to answer in every way real services are known to, and to fail in every way we could think of.
 *
 *   await using upstream = await startUpstream({ extensions: true, msPerLine: 2 })
 *   upstream.origin, upstream.port, upstream.key      where it listens (loopback, a free port), the one key it takes
 *   upstream.model                                    servers and sites; change them as the test likes
 *   upstream.addServer({ name })                      a server, with one of everything; gives its id. addSite likewise
 *   upstream.calls                                    every request, also refused ones: method, path, headers, body, fields
 *   upstream.callsTo('POST', '/servers/create')       those of one method and path
 *   upstream.installStarts(serverId)                  how many times an installation was begun
 *   upstream.set('bare-item')                         a variant or fault from now on, on every path
 *   upstream.set('reset-after', { path: '/servers/1/delete', times: 1 })   on one path; for so many requests
 *   upstream.clear()                                  as it should be again
 *   upstream.cut()                                    closes every socket, and listens on
 *   upstream.openStreams, upstream.sockets            how many install streams and sockets are open now
 *   upstream.bytesSent                                how much of huge bodies was taken by the other side
 *
 * Variants change how a right answer is written (variants.ts lists them); several may be set at once. A fault replaces the
 * answer (faults.ts); the last one set for a path counts. Without extensions it is a plain service of the interface: each GET of
 * install begins an installation, ids begin at 1 each time, Last-Event-ID is not known. With them it does as
 * the bundled service: attaches, resumes, announces Gatehouse-Extensions: 1, and says `code` with failures.
 */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { matchRequest } from '@/lib/contract/path'
import { isArchive, sendArchive } from './archives'
import { answerWithFault, type Fault, faults, isFault } from './faults'
import { readFields, type SentFields } from './fields'
import { createInstaller, type Installer, type InstallOptions } from './installer'
import { createModel, type Model, type ModelAnswer, makeServer, makeSite } from './model'
import { answerFrom } from './routes'
import { streamSiteWork, streamsSites } from './site-stream'
import { applyFailureVariants, applyVariants, isVariant, phpWarning, type Variant } from './variants'

export type UpstreamOptions = Partial<InstallOptions> & {
  /** The key it takes; made up when absent. */
  key?: string
  /** Whether it is a service of our own kind. Default false. */
  extensions?: boolean
  /** The variants that it answers in, on every path. */
  speaks?: readonly Variant[]
  /** What it refuses by its fields before it does anything; null for a request that it takes. */
  refuses?: (call: { path: string; fields: SentFields }) => ModelAnswer | null
  /** Where redirects point. Default: another port of this machine that nobody listens on. */
  redirectTo?: string
  /** Milliseconds per byte of slow-head and slow-body. Default 1000. */
  msPerByte?: number
  /** Bytes of huge-body and, unpacked, of gzip-bomb. Default 100 MB. */
  hugeBytes?: number
  /** Lines of flooding-stream. Default 240,000. */
  floodLines?: number
  /** The port to listen on. Default: a free one. */
  port?: number
}

type Call = {
  method: string
  /** As it came over the wire, query and all. */
  path: string
  headers: IncomingMessage['headers']
  body: string
  fields: SentFields
  authorized: boolean
}

type Where = { path?: string; times?: number }

type Setting = { behaviour: Variant | Fault; path: string | undefined; left: number }

export type Upstream = AsyncDisposable & {
  readonly origin: string
  readonly port: number
  readonly key: string
  readonly calls: Call[]
  readonly model: Model
  readonly openStreams: number
  readonly sockets: number
  readonly bytesSent: number
  callsTo(method: string, path: string): Call[]
  addServer(given?: Parameters<typeof makeServer>[1]): string
  addSite(given?: Parameters<typeof makeSite>[1]): string
  installStarts(serverId: string): number
  set(behaviour: Variant | Fault, where?: Where): void
  clear(): void
  /** Closes every socket, as a stopped service does, but keeps listening. */
  cut(): void
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString('utf8')
}

/** Takes what applies to this path, counting down the settings that are for a number of requests. */
function takeSettings(settings: Setting[], path: string): { variants: Set<Variant>; fault: Fault | undefined } {
  const applying = settings.filter((setting) => setting.left > 0 && (setting.path === undefined || setting.path === path))
  for (const setting of applying) setting.left -= 1
  const behaviours = applying.map((setting) => setting.behaviour)
  return { variants: new Set(behaviours.filter(isVariant)), fault: behaviours.filter(isFault).at(-1) }
}

function sendJson(response: ServerResponse, answer: ModelAnswer, variants: ReadonlySet<Variant>): void {
  const body = JSON.stringify((answer.status === 200 ? applyVariants : applyFailureVariants)(answer.body, variants))
  response.writeHead(answer.status, { 'content-type': variants.has('html-type') ? 'text/html; charset=UTF-8' : 'application/json' })
  response.end(`${variants.has('byte-order-mark') ? '\uFEFF' : ''}${variants.has('php-warning') ? phpWarning : ''}${body}`)
}

/** What names work on a site: the request without its flags, which say how the work is started, and may differ when it is resumed. */
function workOf({ method, path, fields }: Call): string {
  const match = matchRequest(method, path.split('?', 1)[0] ?? '')
  const known = 'operations' in match ? match.operations.flatMap((operation) => Object.entries(operation.fields)) : []
  const flags = known.filter(([, { kind }]) => kind === 'flag').map(([name]) => name)
  const named = Object.entries(fields).filter(([name]) => !flags.includes(name))
  return `${method} ${path} ${JSON.stringify(named)}`
}

const installPath = /^\/servers\/([^/]+)\/install$/

type Parts = {
  key: string
  options: UpstreamOptions
  model: Model
  installer: Installer
  calls: Call[]
  settings: Setting[]
  countBytes(bytes: number): void
}

async function handle(parts: Parts, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { model, options, installer } = parts
  const method = request.method ?? ''
  const url = request.url ?? ''
  const path = url.split('?', 1)[0] ?? ''
  const { variants, fault } = takeSettings(parts.settings, path)
  const body = await readBody(request)
  const authorized = request.headers.authorization === `Bearer ${parts.key}`
  const call = { method, path: url, headers: request.headers, body, fields: readFields(request.headers['content-type'], body), authorized }
  parts.calls.push(call)
  if (options.extensions) response.setHeader('Gatehouse-Extensions', '1')
  const failing = { options, request, countBytes: parts.countBytes }
  if (fault && faults[fault].when === 'instead') return answerWithFault(fault, response, failing)
  if (isArchive(path)) return sendArchive(model, path, request, response)
  if (!authorized) {
    response.setHeader('WWW-Authenticate', 'Bearer')
    return sendJson(response, { status: 401, body: { success: false, error: 'No key, or a wrong one.', code: 'unauthorized' } }, variants)
  }
  const refusal = options.refuses?.(call)
  if (refusal) return sendJson(response, refusal, variants)
  const serverId = method === 'GET' ? installPath.exec(path)?.[1] : undefined
  if (serverId !== undefined && model.servers.has(serverId)) return installer.serve(serverId, request, response, variants, fault)
  const work = () => answerFrom(model, method, path, call.fields)
  if (!fault && streamsSites(model, path, request.headers.accept)) {
    const given = request.headers['last-event-id']
    const asked = { key: workOf(call), after: Array.isArray(given) ? given[0] : given }
    return streamSiteWork(model, asked, response, work)
  }
  const answer = work()
  if (fault) return answerWithFault(fault, response, failing)
  sendJson(response, answer, variants)
}

/** A fixed port may be taken for a while: by any connection of this machine, or by the same test in another clone. */
async function listen(server: Server, port: number): Promise<void> {
  for (let tries = 0; ; tries++) {
    try {
      server.listen(port, '127.0.0.1')
      await once(server, 'listening')
      return
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') || tries === 120) throw error
      await delay(500)
    }
  }
}

/** Starts the service on loopback. It stops, cutting every connection, when it is disposed of. */
export async function startUpstream(options: UpstreamOptions = {}): Promise<Upstream> {
  const key = options.key ?? `upstream-key-${crypto.randomUUID()}`
  const model = createModel(options.extensions ?? false)
  const installer = createInstaller(model, options)
  const calls: Call[] = []
  const settings: Setting[] = (options.speaks ?? []).map((behaviour) => ({ behaviour, path: undefined, left: Number.POSITIVE_INFINITY }))
  const sockets = new Set<Socket>()
  let bytesSent = 0
  const countBytes = (bytes: number) => {
    bytesSent += bytes
  }
  const server = createServer((request, response) => {
    handle({ key, options, model, installer, calls, settings, countBytes }, request, response).catch(() => response.destroy())
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy())
  })
  await listen(server, options.port ?? 0)
  const { port } = server.address() as AddressInfo
  model.origin = `http://127.0.0.1:${port}`
  return {
    origin: `http://127.0.0.1:${port}`,
    port,
    key,
    calls,
    model,
    get openStreams() {
      return installer.openStreams()
    },
    get sockets() {
      return sockets.size
    },
    get bytesSent() {
      return bytesSent
    },
    callsTo: (method, path) => calls.filter((call) => call.method === method && call.path === path),
    addServer: (given) => makeServer(model, given),
    addSite: (given) => makeSite(model, given),
    installStarts: (serverId) => installer.starts(serverId),
    set: (behaviour, where = {}) => void settings.push({ behaviour, path: where.path, left: where.times ?? Number.POSITIVE_INFINITY }),
    clear: () => void settings.splice(0),
    cut: () => {
      for (const socket of sockets) socket.destroy()
    },
    async [Symbol.asyncDispose]() {
      installer.stop()
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
