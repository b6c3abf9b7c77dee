/** The address at which `gatehouse up` of a release takes orders from `gatehouse upgrade`. Whoever may open the data folder may give them. */
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'

const name = 'up.sock'

/** Calls `use` with an address that is valid during the call: one through an open descriptor, because a socket's path has at most 107 bytes. */
export function withSocketAddress<T>(dataFolder: string, use: (address: string) => T): T {
  const handle = openSync(dataFolder, 'r')
  try {
    return use(join('/proc/self/fd', String(handle), name))
  } finally {
    closeSync(handle)
  }
}

export const socketFile = (dataFolder: string): string => join(dataFolder, name)

/** Lines: `stop` is answered by `stopped`, `start` by `started`. `ended CODE` comes when what was started ends. */
export type Order = 'stop' | 'start'
