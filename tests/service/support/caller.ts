/** A simple client of the interface: sends the given request, reads the answer, and does not use the contract. */
import { createStreamReader } from '@/lib/contract/stream'

export type Target = { baseUrl: string; key: string }

export type Said = { status: number; headers: Headers; body: Record<string, unknown> }

const authorization = ({ key }: Target) => ({ authorization: `Bearer ${key}` })

export const parseBody = (text: string): Record<string, unknown> => (text === '' ? {} : JSON.parse(text))

async function said(response: Response): Promise<Said> {
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: parseBody(text) }
}

export async function get(target: Target, path: string, headers: Record<string, string> = {}): Promise<Said> {
  return said(await fetch(`${target.baseUrl}${path}`, { headers: { ...authorization(target), ...headers } }))
}

/** A form in the format of the interface's samples. */
export async function post(target: Target, path: string, fields: Record<string, string>): Promise<Said> {
  return send(target, path, new URLSearchParams(fields))
}

export async function send(target: Target, path: string, body: BodyInit, headers: Record<string, string> = {}): Promise<Said> {
  return said(await fetch(`${target.baseUrl}${path}`, { method: 'POST', body, headers: { ...authorization(target), ...headers } }))
}

type InstallEvent = { id: number; message: string; step: string; progress: number; status: string; error?: string }

export type InstallStream = { status: number; headers: Headers; events: InstallEvent[]; raw: string; body: Record<string, unknown> }

/** To the end, or to `until` events. lastEventId: resume after that one. */
type Reading = { lastEventId?: number | string; until?: number }

/** Reads an install. */
export const readInstall = (target: Target, serverId: string, reading: Reading = {}): Promise<InstallStream> =>
  readRun(target, 'GET', `/servers/${serverId}/install`, reading)

/** Reads how a server is brought up to date. */
export const readUpgrade = (target: Target, serverId: string, reading: Reading = {}): Promise<InstallStream> =>
  readRun(target, 'POST', `/servers/${serverId}/upgrade`, reading)

/** Reads how updates are installed. */
export const readUpdates = (target: Target, serverId: string, security: '0' | '1', reading: Reading = {}): Promise<InstallStream> =>
  readRun(target, 'POST', `/servers/${serverId}/updates`, reading, new URLSearchParams({ security }))

/** Reads how that is taken back. */
export const readRevert = (target: Target, serverId: string): Promise<InstallStream> =>
  readRun(target, 'POST', `/servers/${serverId}/upgrade/revert`, {})

async function readRun(
  target: Target,
  method: string,
  path: string,
  { lastEventId, until = Number.POSITIVE_INFINITY }: Reading,
  body: URLSearchParams | null = null,
) {
  const headers = lastEventId === undefined ? {} : { 'last-event-id': String(lastEventId) }
  const leave = new AbortController()
  const response = await fetch(`${target.baseUrl}${path}`, {
    method,
    headers: { ...authorization(target), ...headers },
    signal: leave.signal,
    body,
  })
  const frame = { status: response.status, headers: response.headers }
  if (response.status !== 200 || !response.body) return { ...frame, events: [], raw: '', body: parseBody(await response.text()) }
  const reader = createStreamReader()
  const events: InstallEvent[] = []
  const chunks: Uint8Array[] = []
  for await (const chunk of response.body) {
    chunks.push(chunk)
    events.push(...(reader.push(chunk) as InstallEvent[]))
    if (events.length >= until) break
  }
  leave.abort()
  return { ...frame, events, raw: Buffer.concat(chunks).toString('utf8'), body: {} }
}
