/** The service over HTTP: authenticate, match, decode, handle, answer. */
import { Hono } from 'hono'
import { encodeAnswer } from '@/lib/contract/answer'
import { renderOpenApi } from '@/lib/contract/openapi'
import type { Input, Operation } from '@/lib/contract/operation'
import { isProblem, type Problem, problem } from '@/lib/contract/problem'
import { chooseOperation, decodeFields, decodeInput, decodeQuery, type Fields, matchRequest, methodsOf } from '@/lib/contract/request'
import { isWritable, type Writable } from '@/lib/database/write-check'
import { answerJson, answerNoMore, answerPage, answerProblem, answerStream } from './answer'
import { renderApiPage } from './api-page/page'
import { authenticate } from './authenticate'
import { readBody } from './body'
import { completeLink, completeLinks, downloadPath, originOf } from './download-link'
import type { Downloads } from './downloads'
import { describeFailure, findProblem, problemOf } from './failure'
import { answerMetrics } from './metrics'
import type { BackupReport } from './own-backups'
import type { Service } from './routes/call'
import { type AnyHandler, handlers as builtIn } from './routes/table'
import { SlowWork } from './runs/slow-work'

type Logger = { warn(details: object, message: string): void; error(details: object, message: string): void }

export type ServiceOptions = Service & {
  log: Logger
  downloads: Downloads
  checkWrites: () => Promise<Writable>
  readBackups: () => Promise<BackupReport>
  /** By operation id; tests inject their own. */
  handlers?: ReadonlyMap<string, AnyHandler>
}

const takenMethods = ['GET', 'HEAD', 'POST']

/**
 * The service as a Hono app. All paths except health, links to archives and the two descriptions of the interface require a bearer key. HEAD never
 * reaches a handler that changes something, although Hono runs the handlers of GET for it.
 */
export function createService(options: ServiceOptions): Hono {
  const app = new Hono()
  app.use(async (context, next) => {
    const { method, url } = context.req.raw
    const { pathname } = new URL(url)
    const isRefused = !takenMethods.includes(method) || (method === 'HEAD' && pathname.startsWith(downloadPath))
    if (isRefused) context.res = answerProblem(problem('method_not_allowed'), allowedAt(pathname))
    else await next()
    addHeaders(context.res.headers)
  })
  app.get('/api/health', async () => {
    const ready = isWritable(await options.checkWrites())
    return answerJson(JSON.stringify({ live: true, ready }), ready ? 200 : 503)
  })
  app.get('/api/health/live', () => answerJson(JSON.stringify({ live: true })))
  app.get('/api/health/ready', async () => {
    const writable = await options.checkWrites()
    const ready = isWritable(writable)
    return answerJson(JSON.stringify({ ready, ...writable }), ready ? 200 : 503)
  })
  app.get('/api/health/backup', async () => answerJson(JSON.stringify(await options.readBackups())))
  app.get('/metrics', (context) => answerOwnMetrics(options, context.req.raw))
  app.get('/openapi.json', ({ req }) => answerJson(JSON.stringify(renderOpenApi(originOf(req.raw)))))
  app.get('/docs', (context) => answerPage(renderApiPage(new URL(context.req.url).origin)))
  // A link without a key: whoever has it may read the archive.
  app.get(`${downloadPath}*`, (context) => options.downloads.answer(context.req.raw))
  app.all('*', (context) => answerCall(options, context.req.raw))
  app.onError((error) => answerFailure(options.log, error))
  return app
}

function addHeaders(headers: Headers): void {
  headers.set('gatehouse-extensions', '1')
  headers.set('x-content-type-options', 'nosniff')
  if (!headers.has('cache-control')) headers.set('cache-control', 'no-store')
}

const readOnlyPaths = ['/api/health', '/api/health/live', '/api/health/ready', '/api/health/backup', '/metrics', '/openapi.json', '/docs']

function allowedAt(pathname: string): string[] {
  if (readOnlyPaths.includes(pathname)) return ['GET', 'HEAD']
  // A link is good for one download.
  return pathname.startsWith(downloadPath) ? ['GET'] : methodsOf(pathname)
}

/** With any API key: everybody on this machine reaches the port. */
async function answerOwnMetrics({ store, readBackups }: ServiceOptions, request: Request): Promise<Response> {
  if (!(await authenticate(store, request.headers.get('authorization')))) return answerProblem(problem('unauthorized'))
  return answerMetrics(await store.db.run.count({ where: { state: 'running' } }), await readBackups())
}

async function answerCall(options: ServiceOptions, request: Request): Promise<Response> {
  const caller = await authenticate(options.store, request.headers.get('authorization'))
  if (!caller) return answerProblem(problem('unauthorized'))
  const { pathname } = new URL(request.url)
  const decoded = await decode(request, pathname)
  if (isProblem(decoded)) return answerProblem(decoded, methodsOf(pathname))
  const { operation, input } = decoded
  const handler = (options.handlers ?? builtIn).get(operation.id)
  if (!handler) throw new Error(`${operation.id} has no handler`)
  const gone = new AbortController()
  const lastEventId = request.headers.get('last-event-id')
  const answer = await handler({ service: options, accountId: caller.accountId, input, lastEventId, gone: gone.signal })
  const result = answer instanceof SlowWork ? await readWork(answer, request, gone.signal) : answer
  if (result === null) return answerNoMore()
  if (!isStream(result)) return answerJson(encodeAnswer(operation, result))
  const failed = (error: unknown) => options.log.warn({ operation: operation.id, ...describeFailure(error) }, 'a stream broke off')
  return answerStream(result, { left: () => gone.abort(), failed })
}

/** Slow work is answered with a stream to clients that ask for one, null if they have its last event; for others the call is held open until it ends. */
async function readWork(work: SlowWork, request: Request, gone: AbortSignal) {
  const origin = originOf(request)
  if (!acceptsStream(request)) return completeLink(await work.answer(request.signal), origin)
  const events = await work.events(gone)
  return events && completeLinks(events, origin)
}

const acceptsStream = (request: Request): boolean => /(^|[\s,])text\/event-stream\b/i.test(request.headers.get('accept') ?? '')

const isStream = <T extends object>(answer: object | AsyncIterable<T>): answer is AsyncIterable<T> => Symbol.asyncIterator in answer

type Decoded = { operation: Operation; input: Input<Operation> }

/** The operation that a request calls, and its input. If two operations share a path, the fields decide. */
async function decode(request: Request, pathname: string): Promise<Decoded | Problem> {
  const match = matchRequest(request.method, pathname)
  if (isProblem(match)) return match
  const fields = await readFields(request, match.operations)
  if (isProblem(fields)) return fields
  const operation = chooseOperation(match.operations, fields)
  if (isProblem(operation)) return operation
  const input = decodeInput(operation, fields, match.pathParameters)
  return isProblem(input) ? input : { operation, input }
}

/** A GET carries its fields in the query; without any, a query is ignored, whatever is in it. */
async function readFields(request: Request, operations: readonly Operation[]): Promise<Fields | Problem> {
  if (request.method !== 'POST') {
    const takesFields = operations.some(({ fields }) => Object.keys(fields).length > 0)
    return takesFields ? decodeQuery(new URL(request.url).search) : new Map()
  }
  if (!isPlain(request)) return problem('unsupported_encoding')
  const bytes = await readBody(request)
  return isProblem(bytes) ? bytes : decodeFields(request.headers.get('content-type'), bytes)
}

const isPlain = (request: Request): boolean => /^(identity)?$/i.test(request.headers.get('content-encoding')?.trim() ?? '')

/** Answers an unexpected failure with `internal` and no details; the log records where it happened. */
function answerFailure(log: Logger, error: unknown): Response {
  if (!findProblem(error)) log.error(describeFailure(error), 'a call failed')
  return answerProblem(problemOf(error))
}
