/** Parses what vitals.bash prints. */
import type { Vitals } from '@/lib/service/machines/vitals'
import { parsePairs } from './pairs'

export function parseVitals(printed: string): Vitals {
  const facts = parsePairs(printed)
  const count = (name: string): string => /^\d{1,20}$/.exec(facts.get(name) ?? '')?.[0] ?? ''
  return {
    at: count('at'),
    cpuBusy: count('cpu_busy'),
    cpuAll: count('cpu_all'),
    cores: count('cores'),
    load: /^(\d+\.\d+ ){2}\d+\.\d+$/.exec(facts.get('load') ?? '')?.[0].split(' ') ?? [],
    memFree: count('mem_free'),
    memTotal: count('mem_total'),
    diskUsed: count('disk_space'),
    diskTotal: count('disk_total'),
    netIn: count('net_in'),
    netOut: count('net_out'),
  }
}
