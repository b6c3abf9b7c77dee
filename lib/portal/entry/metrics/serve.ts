/** The figures over HTTP, on this machine alone, when METRICS_PORT asks for it. */
import 'server-only'
import { subscribe } from 'node:diagnostics_channel'
import { serve } from '@hono/node-server'
import { log } from '@/lib/log'
import { db } from '@/lib/portal/base/db'
import { countRequest, figures } from '@/lib/portal/base/figures'
import { renderMetrics } from './render'

/** What this needs of Node's message on a finished answer. */
type Finished = { request: { method?: string; socket: { localPort?: number } }; response: { statusCode: number } }

/** Counts the requests of this process from now on, and answers GET /metrics on 127.0.0.1:PORT. */
export function serveMetrics(port: number): void {
  subscribe('http.server.response.finish', (message) => {
    const { request, response } = message as Finished
    if (request.socket.localPort !== port) countRequest(request.method ?? '', response.statusCode)
  })
  const server = serve({ fetch: answerMetrics, hostname: '127.0.0.1', port })
  server.on('error', (error) => log.error({ err: error, port }, 'the figures cannot be served'))
  // The portal's end is not held up by whoever reads figures.
  server.unref()
}

/** Only GET /metrics is there. */
export async function answerMetrics(request: Request): Promise<Response> {
  if (new URL(request.url).pathname !== '/metrics') return new Response('Not found\n', { status: 404 })
  if (request.method !== 'GET') return new Response('Only GET\n', { status: 405, headers: { allow: 'GET' } })
  const { user, system } = process.cpuUsage()
  const page = renderMetrics(figures(), {
    runningJobs: await db().job.count({ where: { state: 'running' } }),
    residentBytes: process.memoryUsage.rss(),
    cpuSeconds: (user + system) / 1e6,
    startedAtSeconds: Math.round(Date.now() / 1000 - process.uptime()),
  })
  return new Response(page, { headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8', 'cache-control': 'no-store' } })
}
