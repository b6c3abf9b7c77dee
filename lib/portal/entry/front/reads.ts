/** Answers reads without Next, by calling the same handlers that Next would. */
import 'server-only'
import { log } from '@/lib/log'
import type { RouteHandler } from '../handler'
import { toPathPattern } from './path-pattern'

/** GET handlers by path in Next's notation, `/api/jobs/[jobId]`. */
export type Reads = Readonly<Record<string, RouteHandler>>

type Route = { path: RegExp; names: readonly string[]; handler: RouteHandler }

export type Read = (request: Request) => Promise<Response>

let load: (() => Promise<Reads>) | null = null
let reads: readonly Route[] | null = null

/** Loads the handlers with the first GET under /api, except health checks, one of which a start waits for: Next answers them. */
export function offerReads(loadReads: () => Promise<Reads>): void {
  load = loadReads
  reads = null
}

async function loadOnce(): Promise<void> {
  const wanted = load
  load = null
  if (!wanted) return
  reads = Object.entries(await wanted()).map(([path, handler]) => ({
    path: toPathPattern(path),
    names: [...path.matchAll(/\[(\w+)\]/g)].map(([, name = '']) => name),
    handler,
  }))
}

/** The GET handler for a path as it was sent; null if Next answers it. */
export function findRead(path: string): Read | null {
  if (!path.startsWith('/api/') || path.startsWith('/api/health')) return null
  if (!reads) loadOnce().catch((error: unknown) => log.error({ err: error }, 'reads stay with Next'))
  for (const { path: pattern, names, handler } of reads ?? []) {
    const found = pattern.exec(path)
    const params = found && readParams(names, found.slice(1))
    if (params) return (request) => handler(request, { params: Promise.resolve(params) })
  }
  return null
}

function readParams(names: readonly string[], sent: readonly string[]): Record<string, string> | null {
  try {
    return Object.fromEntries(names.map((name, place) => [name, decodeURIComponent(sent[place] ?? '')]))
  } catch {
    return null
  }
}
