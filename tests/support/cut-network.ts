/** The network between a portal and PostgreSQL: a port of this machine that passes connections on, until it is cut. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { PostgresqlAddress } from '@/lib/settings/database'

export type CutNetwork = AsyncDisposable & {
  /** The same database through it. */
  through(address: PostgresqlAddress): PostgresqlAddress
  /** Nothing passes any more, and nobody hears of it: as when a cable is pulled. */
  cut(): void
  /** What is open passes again, from where it stopped; or it is reset. */
  heal(how: 'continue' | 'reset'): void
}

/** address: one of the cluster, which is reached by a socket in a folder. */
export async function openNetwork({ host, port: number }: PostgresqlAddress): Promise<CutNetwork> {
  const args = ['tests/support/network-process.mjs', join(host, `.s.PGSQL.${number}`)]
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  const [line] = await once(child.stdout, 'data')
  const port = Number(String(line))
  return {
    through: (given) => ({ ...given, host: '127.0.0.1', port }),
    cut: () => void child.stdin.write('cut\n'),
    heal: (how) => void child.stdin.write(`${how}\n`),
    [Symbol.asyncDispose]: async () => {
      const gone = once(child, 'close')
      child.stdin.end()
      await gone
    },
  }
}
