/** What stands in front of several portals: passes connections on in turn to those that are ready, as a balancer with health checks does. */
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

export type Balancer = AsyncDisposable & {
  port: number
  /** The ports to which connections are passed on now. */
  ready(): number[]
  /** Whose portals are asked from now on. */
  use(ports: readonly number[]): void
}

/** How often it asks which portals are ready. */
export const checkMs = 250

export async function startBalancer(): Promise<Balancer> {
  let [ports, ready]: [readonly number[], number[]] = [[], []]
  let turn = 0
  const open = new Set<Socket>()
  const server = createServer((client) => {
    const port = ready[turn++ % ready.length]
    if (port === undefined) return client.destroy()
    const portal = connect(port, '127.0.0.1')
    for (const [one, other] of [
      [client, portal],
      [portal, client],
    ] as const) {
      open.add(one)
      one.pipe(other)
      one.on('error', () => other.destroy())
      one.on('close', () => {
        open.delete(one)
        other.destroy()
      })
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const stop = new AbortController()
  const checking = (async () => {
    while (!stop.signal.aborted) {
      const answers = await Promise.all(ports.map(async (port) => ((await isReady(port)) ? [port] : [])))
      ready = answers.flat()
      await delay(checkMs, undefined, { signal: stop.signal }).catch(() => undefined)
    }
  })()
  const address = server.address()
  return {
    port: address && typeof address === 'object' ? address.port : 0,
    ready: () => ready,
    use: (given) => {
      ports = given
    },
    [Symbol.asyncDispose]: async () => {
      stop.abort()
      for (const each of open) each.destroy()
      server.close()
      await checking
    },
  }
}

const isReady = (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/api/health`, { signal: AbortSignal.timeout(2_000) }).then(
    ({ ok }) => ok,
    () => false,
  )
