/** A process that is killed at a change of a file: what it has done until then stays, and the rest does not happen. */

/** calls: that change files, so far. From the one numbered killAt on, the process is dead. */
export type KilledFiles = { calls: number; killAt: number }

type Changes = Pick<typeof import('node:fs'), 'linkSync' | 'renameSync' | 'rmSync' | 'writeSync' | 'fsyncSync'>

/** In the place of node:fs: each call counts, and throws instead of changing anything once the process is dead. */
export function guardFiles<Files extends Changes>(real: Files, files: KilledFiles): Files {
  const guard =
    <A extends unknown[], R>(change: (...args: A) => R) =>
    (...args: A): R => {
      files.calls += 1
      if (files.calls >= files.killAt) throw new Error('The process was killed.')
      return change(...args)
    }
  return {
    ...real,
    linkSync: guard(real.linkSync),
    renameSync: guard(real.renameSync),
    rmSync: guard(real.rmSync),
    writeSync: guard(real.writeSync as (file: number, text: string) => number),
    fsyncSync: guard(real.fsyncSync),
  }
}
