/** The counters of a sandbox server, derived from its boot and the clock, so that they change while a page shows them. */
import type { Vitals } from '../vitals'
import type { SandboxModel } from './model'
import { usageOf } from './render'

/** Ticks in a second, as Linux counts them for programs. */
const ticks = 100

/** The integral of a wave between 0 and 1 since the boot, so that the counters only grow. */
const waveOf = (seconds: number, length: number): number => {
  const turn = (2 * Math.PI) / length
  return seconds / 2 - Math.sin(turn * seconds) / (2 * turn)
}

export function vitalsOf(machine: SandboxModel, nowMs: number): Vitals {
  const seconds = Math.max(0, (nowMs - machine.bootedAtMs) / 1000)
  const { diskUsed, memoryUsed } = usageOf(machine)
  const busyShare = (waveOf(seconds, 47) * 0.3 + waveOf(seconds, 311) * 0.2 + seconds * 0.03) * ticks * machine.cores
  const load = (length: number) => (machine.cores * (0.1 + 0.2 * (1 - Math.cos((2 * Math.PI * seconds) / length)))).toFixed(2)
  return {
    at: String(nowMs * 1000),
    cpuBusy: busyShare.toFixed(0),
    cpuAll: (seconds * ticks * machine.cores).toFixed(0),
    cores: String(machine.cores),
    load: [load(47), load(311), load(900)],
    memFree: String(machine.memoryBytes - memoryUsed),
    memTotal: String(machine.memoryBytes),
    diskUsed: String(diskUsed),
    diskTotal: String(machine.diskBytes),
    netIn: (waveOf(seconds, 61) * 90_000 + seconds * 4000).toFixed(0),
    netOut: (waveOf(seconds, 83) * 640_000 + seconds * 9000).toFixed(0),
  }
}
