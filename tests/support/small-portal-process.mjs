/**
 * A portal's end in small, for a balancer in front of two of them: `NAME [PORT]`. Prints its port. It listens and ends as the portal does, says at
 * /api/health whether it is about to, counts in /stream, has the one script /_next/static/NAME.js, and answers anything else with its name,
 * the headers that a proxy sets, and the method.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { endInOrder } from '../../lib/portal/entry/front/end-in-order.mjs'
import { createFrontServer } from '../../lib/portal/entry/front/server.mjs'

const [name = '', port = '0'] = process.argv.slice(2)
const ending = new AbortController()

Object.assign(globalThis, {
  gatehouseAnnounceEnd: () => {
    ending.abort()
    return { servesOnMs: 3_000, graceMs: 5_000 }
  },
})

/** @param {import('node:http').ServerResponse} response @param {number} after the number of the last line that the viewer has */
async function stream(response, after) {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache, no-store, no-transform' })
  response.write('retry: 200\n\n')
  for (let number = after + 1; !ending.signal.aborted && !response.destroyed; number += 1) {
    response.write(`id: ${number}\nevent: line\ndata: ${name}\n\n`)
    await delay(50)
  }
  response.end()
}

const server = createFrontServer((request, response) => {
  const { method, url = '', headers } = request
  if (url === '/stream') return void stream(response, Number(headers['last-event-id'] ?? 0))
  if (url === '/api/health') return void response.writeHead(ending.signal.aborted ? 503 : 200).end()
  if (url.startsWith('/_next/static/') && url !== `/_next/static/${name}.js`) return void response.writeHead(404).end()
  const { host, connection, 'x-forwarded-for': forwarded } = headers
  request.resume().once('end', () => void response.end(JSON.stringify({ name, method, host, connection, forwarded })))
})
endInOrder(server)
server.listen(Number(port), '127.0.0.1', () => {
  const address = server.address()
  process.stdout.write(`${address !== null && typeof address === 'object' ? address.port : ''}\n`)
})
