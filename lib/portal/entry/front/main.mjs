/** The portal's process, `main.mjs HOST PORT BUILD`: what must be there before Next is. The front itself comes with Next's bundles. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import next from 'next'
import { loadAssets } from './assets.mjs'
import { createFrontServer } from './server.mjs'

/** @typedef {import('node:http').RequestListener} Listener */
/** @typedef {(answerByNext: Listener, assets: import('./assets.mjs').Assets) => Listener} CreateFront */

/** For what is being answered when the portal is asked to end; the launcher kills it after ten seconds. */
const graceMs = 6000

const [host, port, build] = [process.argv[2] ?? '127.0.0.1', Number(process.argv[3]), process.argv[4] ?? '.next']

/** @param {string} sentence */
function giveUp(sentence) {
  process.stderr.write(`${sentence}\n`)
  process.exit(1)
}

/**
 * Next says that it is ready before instrumentation is through, which hands over the front as its last deed.
 * @returns {Promise<CreateFront>}
 */
const takeFront = () => new Promise((resolve) => void Object.assign(globalThis, { gatehouseTakeFront: resolve }))

async function openServer() {
  // next.config.js and lib/portal/base/build-id.ts take them from there: this process keeps to its build whatever is built meanwhile.
  process.env.GATEHOUSE_BUILD = build
  Object.assign(globalThis, { gatehouseBuildId: readFileSync(join(build, 'BUILD_ID'), 'utf8').trim() })
  const front = takeFront()
  const app = next({ dev: false, dir: process.cwd(), hostname: host, port })
  await app.prepare()
  const createFront = await front
  return createFrontServer(createFront(app.getRequestHandler(), loadAssets(join(build, 'static'))))
}

/** For what start.ts wants finished before the end. */
const finishMs = 3000

/** @param {number} code */
async function exit(code) {
  setTimeout(() => process.exit(code), finishMs)
  const finishWork = Reflect.get(globalThis, 'gatehouseFinishWork')
  await finishWork?.()
  process.exit(code)
}

/** @param {import('node:http').Server} server */
function endInOrder(server) {
  /** @type {Set<import('node:http').ServerResponse>} */
  const open = new Set()
  server.on('request', (_request, response) => {
    open.add(response)
    response.once('close', () => open.delete(response))
  })
  /** @param {number} code */
  const end = (code) => {
    server.close(() => void exit(code))
    for (const response of open) {
      // A stream has no end of its own: whoever watches comes back by itself to whoever answers next.
      if (String(response.getHeader('content-type')).startsWith('text/event-stream')) response.destroy()
      else response.once('close', () => server.closeIdleConnections())
    }
    setTimeout(() => void exit(code), graceMs)
  }
  process.once('SIGINT', () => end(130))
  process.once('SIGTERM', () => end(143))
}

try {
  const server = await openServer()
  endInOrder(server)
  server.once('error', (error) => giveUp(`The portal cannot listen at ${host}, port ${port}: ${error.message}`))
  server.listen(port, host)
} catch (error) {
  // Next hears of what nobody catches and goes on: a portal that never listens.
  giveUp(`The portal did not start: ${error instanceof Error ? error.stack : error}`)
}
