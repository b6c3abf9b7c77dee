/** Fetches a prepared archive: without the API key, only as fast as it is passed on, and from another origin by the rules of webhooks. */
import 'server-only'
import type { Readable } from 'node:stream'
import { type Problem, problem } from '@/lib/contract/problem'
import { findFrozen } from '@/lib/portal/access/frozen'
import type { Connection } from '@/prisma/generated/portal/client'
import { findTarget, parseHookUrl, type Target } from './address'
import { borrowAgent } from './agents'
import { type Head, startExchange } from './exchange'
import { problemOf, UpstreamFailure } from './failure'
import { isPlain } from './headers'
import { type Limits, startWatch } from './watch'

/** range, ifRange: as the browser sent them. */
export type ArchiveRequest = { range?: string | undefined; ifRange?: string | undefined; signal?: AbortSignal }

/**
 * status: 200, 206 or 416. headers: those about the bytes alone. whole: the last byte of the archive is the last of these. discard: ends an
 * answer that is not read.
 */
type ArchiveBytes = {
  kind: 'bytes'
  status: number
  headers: Readonly<Record<string, string>>
  chunks: AsyncIterable<Uint8Array>
  whole: boolean
  discard: () => void
}

type ArchiveReply = ArchiveBytes | { kind: 'failed'; problem: Problem }

type Source = Pick<Connection, 'id' | 'origin' | 'basePath' | 'ownerId'>

// An archive may take hours, so only silence ends it. The total is the longest that a timer can wait.
const limits: Limits = { headMs: 60_000, idleMs: 60_000, totalMs: 2_147_483_647 }

/** elsewhere: the link leads to another origin than the connection. login: it contains one. */
export type LinkKind = { elsewhere: boolean; login: boolean }

export function kindOfLink(source: Source, link: string): LinkKind {
  const target = findTarget(source)
  const { origin, username, password } = new URL(link)
  return { elsewhere: 'code' in target || origin !== target.origin, login: username !== '' || password !== '' }
}

type Where = { target: Target; path: string }

/**
 * Where the portal itself fetches it; else the problem. What a link leads to must be on the public internet, or on the host of the team's own connection:
 * a service chooses the link, and must not choose a private address that the operator permits for another.
 */
function findWhere(source: Source, link: string): Where | Problem {
  const target = findTarget(source)
  if ('code' in target) return target
  const { elsewhere, login } = kindOfLink(source, link)
  if (login) return problem('address_refused')
  const { hostname, pathname, search } = new URL(link)
  const inside = source.ownerId === null && hostname === new URL(target.origin).hostname
  return elsewhere ? parseHookUrl(link, inside) : { target, path: `${pathname}${search}` }
}

/** Whether the portal fetches it itself, as far as that shows without resolving a name. */
export const isFetched = (source: Source, link: string): boolean => !('code' in findWhere(source, link))

/** Never throws because of the network or the service; iterating the chunks throws UpstreamFailure if they break off. */
export async function fetchArchive(source: Source, link: string, asked: ArchiveRequest): Promise<ArchiveReply> {
  const frozen = await findFrozen(source.id)
  if (frozen) return failed(frozen)
  const where = findWhere(source, link)
  if ('code' in where) return failed(problem(where.code))
  const { target, path } = where
  // Sockets of their own, so that nothing of a call with the key is on them.
  const lease = borrowAgent(`${source.id} archive`, target)
  const watch = startWatch(limits, asked.signal)
  const finish = () => {
    watch.end()
    lease.release()
  }
  const request = { origin: target.origin, path, method: 'GET', headers: headersOf(asked), body: null } as const
  const exchange = startExchange(lease.agent, request, watch)
  try {
    const head = await exchange.head
    const refusal = findRefusal(head)
    if (refusal) throw new UpstreamFailure(refusal)
    const body = head.body()
    body.once('close', finish)
    const [headers, whole, chunks] = [passedOn(head), endsWithLastByte(head), readChunks(body)]
    return { kind: 'bytes', status: head.status, headers, chunks, whole, discard: () => void body.destroy() }
  } catch (error) {
    exchange.abandon()
    finish()
    return failed(problemOf(error, exchange.sent()))
  }
}

const failed = (why: Problem): ArchiveReply => ({ kind: 'failed', problem: why })

function headersOf({ range, ifRange }: ArchiveRequest): Record<string, string> {
  return {
    accept: '*/*',
    'accept-encoding': 'identity',
    'user-agent': 'gatehouse',
    ...(range !== undefined && /^bytes=[\d, -]{1,200}$/.test(range) && { range }),
    ...(ifRange !== undefined && /^[\x20-\x7e]{1,200}$/.test(ifRange) && { 'if-range': ifRange }),
  }
}

const gone = problem('not_found', { sentence: 'The service no longer has this archive. Prepare a new one.' })

function findRefusal({ status, headers }: Head): Problem | null {
  if (status === 404 || status === 410) return gone
  if (status >= 300 && status < 400) return problem('upstream_redirected')
  if (status !== 200 && status !== 206 && status !== 416) return problem('upstream_failed')
  return isPlain(headers) ? null : problem('upstream_not_understood')
}

/** What a browser needs to show the progress and to resume. Anything malformed is left out. */
const passable: Readonly<Record<string, RegExp>> = {
  'content-length': /^\d{1,15}$/,
  'content-range': /^bytes (\d{1,15}-\d{1,15}|\*)\/(\d{1,15}|\*)$/,
  'accept-ranges': /^bytes$/,
  etag: /^(W\/)?"[\x21\x23-\x7e]{0,200}"$/,
  'last-modified': /^[A-Za-z0-9,: ]{1,40}$/,
}

function passedOn({ headers }: Head): Record<string, string> {
  const found = Object.entries(passable).map(([name, pattern]) => [name, headers.get(name) ?? '', pattern] as const)
  return Object.fromEntries(found.flatMap(([name, value, pattern]) => (pattern.test(value) ? [[name, value]] : [])))
}

function endsWithLastByte({ status, headers }: Head): boolean {
  if (status === 200) return true
  const [, last, total] = /-(\d+)\/(\d+)$/.exec(headers.get('content-range') ?? '') ?? []
  return status === 206 && last !== undefined && Number(last) + 1 === Number(total)
}

async function* readChunks(body: Readable): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of body) yield chunk
  } catch (error) {
    throw new UpstreamFailure(problemOf(error, true))
  }
}
