/** Forgets what clients claim about addresses and hosts, before Next believes it. */
import 'server-only'
import { subscribe } from 'node:diagnostics_channel'
import { isIP } from 'node:net'
import { isInRanges, type Range } from '@/lib/settings/ranges'
import { processState } from '../process-state'

/** What this needs of Node's IncomingMessage. */
type Incoming = { headers: Record<string, string | string[] | undefined>; socket: { remoteAddress?: string } }

const claimed = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-port', 'x-forwarded-proto', 'x-real-ip']

const state = processState('forwarded headers', () => ({ forgotten: false }), { stays: true })

/**
 * From now on every request of this process has as X-Forwarded-For one address and nothing else, and no other forwarded
 * header: Next keeps what a client sends there and takes X-Forwarded-Host before Host. The address is the socket's own,
 * or what a trusted proxy says. Called once, before the first request. A proxy in front has to pass the Host header on.
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
 * Each proxy appends whom it heard from, so the list is read from its end for as long as the one who said it is trusted:
 * what a client wrote itself stands further left and is never reached. A word that is no address ends the reading.
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

/** Whether X-Forwarded-For can be believed in this process. */
export const forgetsForwarded = (): boolean => state().forgotten
