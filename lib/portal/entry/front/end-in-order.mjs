/** How the portal's process ends at SIGINT and SIGTERM: what is in progress is answered, and what start.ts left on globalThis decides for how long. */

/** For responses in progress when the portal has to end, unless it has longer; the launcher kills it after ten seconds. */
const graceMs = 6000

/** The time limit for the work that start.ts finishes before the end. */
const finishMs = 3000

/** @param {number} code */
async function exit(code) {
  setTimeout(() => process.exit(code), finishMs)
  const finishWork = Reflect.get(globalThis, 'gatehouseFinishWork')
  await finishWork?.()
  process.exit(code)
}

/** @param {import('node:http').Server} server */
export function endInOrder(server) {
  /** @type {Set<import('node:http').ServerResponse>} */
  const open = new Set()
  server.on('request', (_request, response) => {
    open.add(response)
    response.once('close', () => open.delete(response))
  })
  /**
   * @param {number} code
   * @param {number} ms
   */
  const end = (code, ms) => {
    server.close(() => void exit(code))
    for (const response of open) {
      // Streams have no end. Viewers reconnect automatically, to the next process.
      if (String(response.getHeader('content-type')).startsWith('text/event-stream')) response.destroy()
      else response.once('close', () => server.closeIdleConnections())
    }
    setTimeout(() => void exit(code), ms)
  }
  /** @param {number} code */
  const announce = (code) => {
    const inOrder = Reflect.get(globalThis, 'gatehouseAnnounceEnd')?.()
    if (!inOrder) return end(code, graceMs)
    // A proxy that keeps connections sends no form over one that is just being closed: it would not dare to send it again.
    server.prependListener('request', (_request, response) => void response.setHeader('connection', 'close'))
    setTimeout(() => end(code, inOrder.graceMs), inOrder.servesOnMs)
  }
  process.once('SIGINT', () => announce(130))
  process.once('SIGTERM', () => announce(143))
}
