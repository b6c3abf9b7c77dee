/** Replaces the forwarding headers that clients send before Next trusts them. */
import 'server-only'
import { subscribe } from 'node:diagnostics_channel'
import { isIP } from 'node:net'
import { isInRanges, type Range } from '@/lib/settings/ranges'
import { processState } from '../process-state'

/** The part of Node's IncomingMessage that this file needs. */
type Incoming = { headers: Record<string, string | string[] | undefined>; socket: { remoteAddress?: string } }

const claimed = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-port', 'x-forwarded-proto', 'x-real-ip']

const state = processState('forwarded headers', () => ({ forgotten: false }), { stays: true })

/**
 * Ensures that every request of this process has exactly one address in X-Forwarded-For and no other forwarding header: Next keeps what
 * clients send there and prefers X-Forwarded-Host to Host. The address is the socket's own, or the one a trusted proxy reports. Call this
 * once, before the first request. A proxy in front of the portal must pass on the Host header.
 */
export function forgetForwardedHeaders(trustedProxies: readonly Range[]): void {
  if (state().forgotten) return
  state().forgotten = true
  subscribe('http.server.request.start', (message) => {
    const { request } = message as { request: Incoming }
    const address = findClient(request.socket.remoteAddress ?? '', request.headers['x-forwarded-for'], trustedProxies)
    for (const name of claimed) delete request.headers[name]
    request.headers['x-forwarded-for'] = address
  })
}

/**
 * Each proxy appends the address of its client, so the list is read from the end for as long as the sender is trusted. Anything that a
 * client wrote itself is further left and never reached. Reading stops at a word that is not an address.
 */
export function findClient(socketAddress: string, header: string | string[] | undefined, trustedProxies: readonly Range[]): string {
  const said = [header ?? []].flat().join(',').split(',')
  let address = socketAddress
  while (isInRanges(address, trustedProxies)) {
    const next = said.pop()?.trim()
    if (next === undefined || isIP(next) === 0) break
    address = next
  }
  return address
}

/** Whether X-Forwarded-For can be trusted in this process. */
export const forgetsForwarded = (): boolean => state().forgotten
