/** What a running process used so far, from the kernel's own books. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Place } from '../support/gatehouse-process'

/** The process of the portal or the service of a running Gatehouse. */
export function findPid(place: Place, name: 'portal' | 'service'): number {
  const claim: { pid: number } = JSON.parse(readFileSync(join(place.dir, `data/${name}/${name}.db.running`), 'utf8'))
  return claim.pid
}

/** Milliseconds on a processor so far, all threads. */
export function readCpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/** Resident memory in MB. */
export function readMemoryMb(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
}
