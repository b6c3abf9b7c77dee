/** The network between a portal and PostgreSQL: a port of this machine that passes connections on, until it is cut. */
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import type { PostgresqlAddress } from '@/lib/settings/database'

export type CutNetwork = AsyncDisposable & {
  /** The same database through it. */
  through(address: PostgresqlAddress): PostgresqlAddress
  /** Nothing passes any more, and nobody is told: as when a cable is pulled. */
  cut(): void
  /** What is open passes again, from where it stopped; or it is reset. */
  heal(how: 'continue' | 'reset'): void
}

/** address: one of the cluster, which is reached by a socket in a folder. */
export async function openNetwork({ host, port: number }: PostgresqlAddress): Promise<CutNetwork> {
  let isCut = false
  const pairs = new Set<readonly [Socket, Socket]>()
  const server = createServer({ pauseOnConnect: true }, (client) => {
    const database = connect(join(host, `.s.PGSQL.${number}`))
    const pair = [client, database] as const
    pairs.add(pair)
    for (const [one, other] of [pair, [database, client]] as const) {
      one.on('data', (chunk) => {
        if (!other.write(chunk)) one.pause()
      })
      other.on('drain', () => {
        if (!isCut) one.resume()
      })
      one.on('end', () => other.end())
      one.on('error', () => other.destroy())
      one.on('close', () => {
        pairs.delete(pair)
        other.destroy()
      })
    }
    for (const each of pair) {
      if (isCut) each.pause()
      else each.resume()
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = address && typeof address === 'object' ? address.port : 0
  const forAll = (act: (socket: Socket) => void) => {
    for (const pair of pairs) for (const each of pair) act(each)
  }
  return {
    through: (given) => ({ ...given, host: '127.0.0.1', port }),
    cut: () => {
      isCut = true
      forAll((socket) => socket.pause())
    },
    heal: (how) => {
      isCut = false
      forAll((socket) => (how === 'reset' ? socket.destroy() : socket.resume()))
    },
    [Symbol.asyncDispose]: async () => {
      forAll((socket) => socket.destroy())
      server.close()
    },
  }
}
