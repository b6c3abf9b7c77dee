/** Calls of slow operations on sites: as a stream, resumed, or held open until the answer. */
import { createStreamReader } from '@/lib/contract/stream'
import { get, parseBody, post, type Said, type Target } from './caller'

type WorkEvent = { id: number; message: string; step: string; progress: number; status: string; error?: string; result?: unknown }

/** body: the answer of a call that was refused before any work. */
export type WorkStream = { status: number; events: WorkEvent[]; body: Record<string, unknown> }

export type StreamOptions = {
  /** Resume after that event. */
  lastEventId?: number | string
  /** Leave after that many events. */
  until?: number
}

export type NewSite = { domain: string; server: string; password: string; www?: string; backup?: string }

async function readStream(
  { baseUrl, key }: Target,
  path: string,
  request: { method: string; body?: URLSearchParams },
  { lastEventId, until = Number.POSITIVE_INFINITY }: StreamOptions,
): Promise<WorkStream> {
  const resumed = lastEventId === undefined ? {} : { 'last-event-id': String(lastEventId) }
  const headers = { authorization: `Bearer ${key}`, accept: 'text/event-stream', ...resumed }
  const leave = new AbortController()
  const response = await fetch(`${baseUrl}${path}`, { ...request, headers, signal: leave.signal })
  if (response.status !== 200 || !response.body) return { status: response.status, events: [], body: parseBody(await response.text()) }
  const reader = createStreamReader()
  const events: WorkEvent[] = []
  for await (const chunk of response.body) {
    events.push(...(reader.push(chunk) as WorkEvent[]))
    if (events.length >= until) break
  }
  leave.abort()
  return { status: 200, events, body: {} }
}

export const streamCreation = (target: Target, site: NewSite, options: StreamOptions = {}): Promise<WorkStream> =>
  readStream(target, '/sites/create', { method: 'POST', body: new URLSearchParams(site) }, options)

export const streamDeletion = (target: Target, id: string, options: StreamOptions & { query?: string } = {}): Promise<WorkStream> =>
  readStream(target, `/sites/${id}/delete${options.query ?? ''}`, { method: 'GET' }, options)

export const streamSsl = (target: Target, id: string, status: '1' | '0', options: StreamOptions = {}): Promise<WorkStream> =>
  readStream(target, `/sites/${id}/setssl`, { method: 'POST', body: new URLSearchParams({ status }) }, options)

export const streamSettings = (
  target: Target,
  id: string,
  fields: Record<string, string>,
  options: StreamOptions = {},
): Promise<WorkStream> => readStream(target, `/sites/${id}/configure`, { method: 'POST', body: new URLSearchParams(fields) }, options)

export const streamInstall = (target: Target, id: string, app: string, options: StreamOptions = {}): Promise<WorkStream> =>
  readStream(target, `/sites/${id}/install/${app}`, { method: 'GET' }, options)

export const streamEmail = (
  target: Target,
  id: string,
  fields: { status: '1' | '0'; anyway?: '1' },
  options: StreamOptions = {},
): Promise<WorkStream> => readStream(target, `/sites/${id}/setemail`, { method: 'POST', body: new URLSearchParams(fields) }, options)

export const streamBackup = (target: Target, id: string, options: StreamOptions = {}): Promise<WorkStream> =>
  readStream(target, `/sites/${id}/backup/creates`, { method: 'GET' }, options)

export const streamRestore = (
  target: Target,
  id: string,
  fields: Record<string, string>,
  options: StreamOptions = {},
): Promise<WorkStream> => readStream(target, `/sites/${id}`, { method: 'POST', body: new URLSearchParams(fields) }, options)

export const streamDownload = (target: Target, id: string, options: StreamOptions = {}): Promise<WorkStream> =>
  readStream(target, `/sites/${id}/download`, { method: 'GET' }, options)

export type Parts = {
  files: '0' | '1'
  database: '0' | '1'
  tables: readonly string[]
  new_password?: '0' | '1'
  replace_live_changes?: '1'
}

const bodyOf = ({ tables, ...rest }: Parts): URLSearchParams => {
  const body = new URLSearchParams(rest)
  for (const table of tables.length === 0 ? [''] : tables) body.append('tables[]', table)
  return body
}

export const streamPull = (target: Target, id: string, parts: Parts, options: StreamOptions = {}): Promise<WorkStream> =>
  readStream(target, `/sites/${id}/apps/pull`, { method: 'POST', body: bodyOf(parts) }, options)

export const streamPush = (target: Target, id: string, parts: Parts, options: StreamOptions = {}): Promise<WorkStream> =>
  readStream(target, `/sites/${id}/apps/push`, { method: 'POST', body: bodyOf(parts) }, options)

export const createSite = (target: Target, site: NewSite): Promise<Said> => post(target, '/sites/create', site)

export const deleteSite = (target: Target, id: string, query = ''): Promise<Said> => get(target, `/sites/${id}/delete${query}`)

export type ListedSite = Record<
  'id' | 'domain' | 'server' | 'usage' | 'ip' | 'mx' | 'state' | 'expires' | 'staging' | 'app' | 'app_version',
  string
> & {
  ssl: boolean
  aliases: string[]
}

export async function listSites(target: Target): Promise<ListedSite[]> {
  const { status, body } = await get(target, '/sites')
  if (status !== 200) throw new Error(`the list of sites was answered with ${status}`)
  return body.items as ListedSite[]
}
