/** Forgets what clients claim about addresses and hosts, before Next believes it. */
import 'server-only'
import { subscribe } from 'node:diagnostics_channel'

/** What this needs of Node's IncomingMessage. */
type Incoming = { headers: Record<string, string | string[] | undefined>; socket: { remoteAddress?: string } }

const claimed = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-port', 'x-forwarded-proto', 'x-real-ip']

// Instrumentation and route bundles load this module apart: whether it was done hangs on the process.
const holder: { gatehouseForgetsForwarded?: boolean } = globalThis as object

/**
 * From now on every request of this process has as X-Forwarded-For its socket's address and nothing else, and no other
 * forwarded header: Next keeps what a client sends there and takes X-Forwarded-Host before Host. Called once, before
 * the first request. A proxy in front has to pass the Host header on; its own address is then everybody's peer.
 */
export function forgetForwardedHeaders(): void {
  if (holder.gatehouseForgetsForwarded) return
  holder.gatehouseForgetsForwarded = true
  subscribe('http.server.request.start', (message) => {
    const { request } = message as { request: Incoming }
    for (const name of claimed) delete request.headers[name]
    request.headers['x-forwarded-for'] = request.socket.remoteAddress ?? ''
  })
}

/** Whether X-Forwarded-For can be believed in this process. */
export const forgetsForwarded = (): boolean => holder.gatehouseForgetsForwarded === true
