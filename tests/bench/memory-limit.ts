/** A control group with a memory limit, as a container or a unit has one. Needs root. */
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** What to put before a command so that it and its children share so many bytes, and how many of them the kernel killed for it. */
export type MemoryLimit = Disposable & { command: readonly [string, ...string[]]; countKilled(): number }

export function limitMemory(bytes: number): MemoryLimit {
  const root = '/sys/fs/cgroup'
  const former = existsSync(join(root, 'memory'))
  const group = join(root, former ? 'memory' : '', `gatehouse-bench-${process.pid}`)
  mkdirSync(group)
  writeFileSync(join(group, former ? 'memory.limit_in_bytes' : 'memory.max'), String(bytes))
  return {
    command: ['sh', '-c', 'echo $$ >"$0" && exec "$@"', join(group, 'cgroup.procs')],
    countKilled: () => {
      const events = readFileSync(join(group, former ? 'memory.oom_control' : 'memory.events'), 'utf8')
      return Number(/^oom_kill (\d+)$/m.exec(events)?.[1])
    },
    [Symbol.dispose]: () => rmdirSync(group),
  }
}
