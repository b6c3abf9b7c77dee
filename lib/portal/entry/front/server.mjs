/** The portal's HTTP server: how long a request may take to arrive, and which requests never reach the front. */
import { createServer } from 'node:http'

/**
 * Milliseconds. A request that has not arrived completely by then is answered 408 and its connection closed; how long the response
 * takes does not matter.
 */
const arrival = { headersTimeout: 10_000, requestTimeout: 30_000, connectionsCheckingInterval: 1000 }

const refusedTunnel = 'HTTP/1.1 405 Method Not Allowed\r\nAllow: GET, HEAD, POST\r\nContent-Length: 0\r\nConnection: close\r\n\r\n'

/** @param {import('node:http').RequestListener} front */
export function createFrontServer(front, limits = arrival) {
  const server = createServer(limits, front)
  // Otherwise Node would ask for the body before the front has checked its length.
  server.on('checkContinue', (request, response) => server.emit('request', request, response))
  server.on('connect', (_request, socket) => {
    socket.on('error', () => {})
    socket.end(refusedTunnel)
  })
  // No upgrade is supported, and nothing else would close a socket that asks for one.
  server.on('upgrade', (_request, socket) => socket.destroy())
  return server
}
