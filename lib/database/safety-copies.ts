/** The copies of a database from before each upgrade, stored next to it. */
import { readdirSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

const copiesKept = 5

/** The name of a new copy: names sort by time. */
export const safetyCopyName = (file: string): string => `${file}.before-${new Date().toISOString().replace(/\D/g, '').slice(0, 14)}`

/** The complete copies, oldest first, as paths. */
export function listSafetyCopies(file: string): string[] {
  const pattern = /\.before-\d{14}$/
  return readdirSync(dirname(file))
    .filter((name) => name.startsWith(`${basename(file)}.before-`) && pattern.test(name))
    .sort()
    .map((name) => join(dirname(file), name))
}

/** Keeps the newest five. */
export function removeOldCopies(file: string): void {
  for (const copy of listSafetyCopies(file).slice(0, -copiesKept)) rmSync(copy, { force: true })
}
