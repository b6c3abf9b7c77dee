/** Running a program as somebody who may read a folder and create nothing in it, like the user of a unit. */
import { type SpawnSyncReturns, spawnSync } from 'node:child_process'
import { chmodSync } from 'node:fs'

/** Debian's user nobody. */
export const nobody = 65_534

/** Runs Node in a folder to its end. Root may write everywhere, so its processes get another user; for anybody else the folder is closed meanwhile. */
export function runAsReader(folder: string, args: readonly string[]): SpawnSyncReturns<string> {
  const isRoot = process.getuid?.() === 0
  chmodSync(folder, isRoot ? 0o755 : 0o555)
  try {
    const user = isRoot ? { uid: nobody, gid: nobody } : {}
    return spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8', ...user })
  } finally {
    chmodSync(folder, 0o755)
  }
}
