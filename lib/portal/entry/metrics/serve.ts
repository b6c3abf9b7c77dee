/** Serves the metrics over HTTP on localhost if METRICS_PORT is set. */
import 'server-only'
import { subscribe } from 'node:diagnostics_channel'
import { serve } from '@hono/node-server'
import { log } from '@/lib/log'
import { db } from '@/lib/portal/base/db'
import { countRequest, renderFigures } from '@/lib/portal/base/figures'

/** The part of Node's message about a finished response that is used here. */
type Finished = { request: { method?: string; socket: { localPort?: number } }; response: { statusCode: number } }

/** Counts the requests of this process, and answers GET /metrics on 127.0.0.1:PORT. */
export function serveMetrics(port: number): void {
  subscribe('http.server.response.finish', (message) => {
    const { request, response } = message as Finished
    if (request.socket.localPort !== port) countRequest(request.method ?? '', response.statusCode)
  })
  // Next runs in this process, so the global Request and Response stay Node's.
  const server = serve({ fetch: answerMetrics, hostname: '127.0.0.1', port, overrideGlobalObjects: false })
  server.on('error', (error) => log.error({ err: error, port }, 'the figures cannot be served'))
  // An open metrics connection must not delay the end of the portal.
  server.unref()
}

/** Answers only GET /metrics. */
export async function answerMetrics(request: Request): Promise<Response> {
  if (new URL(request.url).pathname !== '/metrics') return new Response('Not found\n', { status: 404 })
  if (request.method !== 'GET') return new Response('Only GET\n', { status: 405, headers: { allow: 'GET' } })
  const [running, backups] = await Promise.all([db().job.count({ where: { state: 'running' } }), db().ownBackup.findMany()])
  const { text, contentType } = await renderFigures(running, backups)
  return new Response(text, { headers: { 'content-type': contentType, 'cache-control': 'no-store' } })
}
