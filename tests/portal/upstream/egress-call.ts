/** Calls through the one way out, as its tests make them, and a server of bare bytes to call. */
import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect } from 'vitest'
import type { EncodedRequest } from '@/lib/contract/request'
import { closeAgents } from '@/lib/portal/upstream/agents'
import { type CallOptions, send } from '@/lib/portal/upstream/egress'
import type { Upstream } from '@/tests/support/upstream/upstream'

export const list: EncodedRequest = { method: 'GET', path: '/servers/' }
export const brief = { headMs: 150, idleMs: 150, totalMs: 400 }

export const call = (upstream: Pick<Upstream, 'origin' | 'key'>, request = list, options: Partial<CallOptions> = {}, credentialId = 'c1') =>
  send({ credentialId, address: { origin: upstream.origin, basePath: '' }, key: Buffer.from(upstream.key) }, request, {
    pace: 'read',
    ...options,
  })

export const failed = (code: string, sent: boolean) => ({
  kind: 'failed',
  problem: expect.objectContaining({ code, sentence: expect.any(String) }),
  sent,
})

/** A server of bare bytes: what `speak` does with each connection. */
export async function startBareServer(speak: (socket: import('node:net').Socket) => void) {
  let connections = 0
  const server = createServer((socket) => {
    connections += 1
    socket.on('error', () => socket.destroy())
    speak(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    origin: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    key: 'gh_bare-server-key',
    connections: () => connections,
    [Symbol.asyncDispose]: async () => {
      await closeAgents()
      server.close()
    },
  }
}
