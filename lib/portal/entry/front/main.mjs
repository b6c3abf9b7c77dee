/** The portal's process, `HOST PORT [BUILD] [--without-link]`: prepares what Next needs before it starts. Without BUILD it runs the sources. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import next from 'next'
import { prepareFiles } from '../prepare-files'
import { loadAssets } from './assets.mjs'
import { endInOrder } from './end-in-order.mjs'
import { createFrontServer } from './server.mjs'

/** @typedef {import('node:http').RequestListener} Listener */
/** @typedef {(answerByNext: Listener, assets: import('./assets.mjs').Assets) => Listener} CreateFront */

const [host = '127.0.0.1', portNumber, build] = process.argv.slice(2).filter((word) => !word.startsWith('--'))
const port = Number(portNumber)

/** @param {string} sentence */
function giveUp(sentence) {
  process.stderr.write(`${sentence}\n`)
  process.exit(1)
}

/**
 * Next reports that it is ready before instrumentation has finished, whose last step passes the front on.
 * @returns {Promise<CreateFront>}
 */
const takeFront = () => new Promise((resolve) => void Object.assign(globalThis, { gatehouseTakeFront: resolve }))

/** @param {string} build its folder */
async function openServer(build) {
  // next.config.js and lib/portal/base/build-id.ts read it there: this process keeps its build, even if another is built meanwhile.
  process.env.GATEHOUSE_BUILD = build
  Object.assign(globalThis, { gatehouseBuildId: readFileSync(join(build, 'BUILD_ID'), 'utf8').trim() })
  const front = takeFront()
  const app = next({ dev: false, dir: process.cwd(), hostname: host, port })
  await app.prepare()
  const createFront = await front
  return createFrontServer(createFront(app.getRequestHandler(), loadAssets(join(build, 'static'))))
}

/** For `npm run dev`: Next compiles files when they are requested and also serves scripts and styles; the front before it is the same. */
async function openDevelopmentServer() {
  const front = takeFront()
  const app = next({ dev: true, dir: process.cwd(), hostname: host, port })
  await app.prepare()
  const createFront = await front
  const server = createFrontServer(createFront(app.getRequestHandler(), new Map()))
  // Next notifies pages of changes over a WebSocket.
  server.removeAllListeners('upgrade').on('upgrade', app.getUpgradeHandler())
  return server
}

await prepareFiles()
try {
  const server = await (build === undefined ? openDevelopmentServer() : openServer(build))
  endInOrder(server)
  server.once('error', (error) => giveUp(`The portal cannot listen at ${host}, port ${port}: ${error.message}`))
  server.listen(port, host)
} catch (error) {
  // Next would log an uncaught error and continue, as a portal that never listens.
  giveUp(`The portal did not start: ${error instanceof Error ? error.stack : error}`)
}
