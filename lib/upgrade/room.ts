/** Whether disk and memory are enough for an upgrade. */
import { existsSync, readFileSync, statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { UpgradeError } from './installation'

const megabyte = 1_000_000

/** Beside what is counted, so that the machine keeps working, in bytes. */
const spareBytes = 100 * megabyte

/** The migrations are tried while Gatehouse runs, by a Node of their own, in bytes. */
const memoryBytes = 150 * megabyte

/** Copies of a database that exist at the same time while a migration is tried: the trial's, its own two, and the one that is kept. */
const copiesOfDatabase = 4

export type Need = { folder: string; bytes: number }

/** For each folder what is written there. */
export const listNeeds = (releases: string, unpackedBytes: number, databases: readonly string[]): Need[] => [
  { folder: releases, bytes: unpackedBytes },
  ...databases.filter((file) => existsSync(file)).map((file) => ({ folder: dirname(file), bytes: copiesOfDatabase * sizeWithLog(file) })),
]

const sizeWithLog = (file: string): number =>
  [file, `${file}-wal`].reduce((sum, path) => sum + (statSync(path, { throwIfNoEntry: false })?.size ?? 0), 0)

const formatMegabytes = (bytes: number): string => `${Math.ceil(bytes / megabyte)} MB`

/** One sentence with the numbers. Throws UpgradeError with them if it is not enough. */
export function checkRoom(needs: readonly Need[]): string {
  const byDisk = new Map<number, { folder: string; bytes: number; free: number }>()
  for (const { folder, bytes } of needs) {
    const { bavail, bsize } = statfsSync(folder)
    const disk = statSync(folder).dev
    const known = byDisk.get(disk) ?? { folder, bytes: spareBytes }
    byDisk.set(disk, { folder: known.folder, free: bavail * bsize, bytes: known.bytes + bytes })
  }
  const disks = [...byDisk.values()].map(({ folder, bytes, free }) => {
    if (free < bytes) {
      throw new UpgradeError(`The disk of ${folder} has ${formatMegabytes(free)} free, and the upgrade needs ${formatMegabytes(bytes)}.`)
    }
    return `${formatMegabytes(free)} of disk free (${folder}), ${formatMegabytes(bytes)} needed`
  })
  const memory = readAvailableMemory()
  if (memory < memoryBytes) {
    throw new UpgradeError(`${formatMegabytes(memory)} of memory are available, and the upgrade needs ${formatMegabytes(memoryBytes)}.`)
  }
  return `${disks.join('; ')}; ${formatMegabytes(memory)} of memory available, ${formatMegabytes(memoryBytes)} needed.`
}

/** In bytes, as Linux estimates it. */
function readAvailableMemory(): number {
  const [, kibibytes] = /^MemAvailable:\s+(\d+) kB$/m.exec(readFileSync('/proc/meminfo', 'utf8')) ?? []
  return Number(kibibytes) * 1024
}
