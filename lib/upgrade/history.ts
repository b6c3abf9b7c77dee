/** ROOT/upgrades.json: the upgrades and rollbacks that were done, oldest first. A rollback finds here where it leads to. */
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { folderOf, type Installation, listReleases, readCurrent } from './installation'
import { type Copies, listCopies, type State } from './state'
import { writeSafely } from './write-safely'

export type Done = Pick<State, 'kind' | 'from' | 'to' | 'at' | 'copies'>

const releasesKept = 3

const fileOf = ({ root }: Installation): string => join(root, 'upgrades.json')

export function readHistory(installation: Installation): Done[] {
  const file = fileOf(installation)
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : []
}

const write = (installation: Installation, history: readonly Done[]): void =>
  writeSafely(fileOf(installation), `${JSON.stringify(history, null, 2)}\n`)

/** Adds it unless it is there already: an interrupted end is repeated. */
export function addToHistory(installation: Installation, { kind, from, to, at, copies }: State): void {
  const others = readHistory(installation).filter((done) => done.at !== at)
  write(installation, [...others, { kind, from, to, at, copies }])
}

/** The upgrade that a rollback of the present version undoes; null if none is known, or its former release was removed. */
export function findUpgrade(installation: Installation): Done | null {
  const current = readCurrent(installation)
  const last = readHistory(installation).findLast(({ kind, to }) => kind === 'upgrade' && to === current)
  return last && existsSync(folderOf(installation, last.from)) ? last : null
}

/** Removes all but the newest three releases, and the copies of databases that only fit removed ones. Returns the removed versions. */
export function removeOldReleases(installation: Installation): string[] {
  const needed = [readCurrent(installation), findUpgrade(installation)?.from]
  const others = listReleases(installation).filter((version) => !needed.includes(version))
  const kept = needed.filter((version) => version !== undefined).length
  const removed = others.slice(Math.max(0, releasesKept - kept))
  for (const version of removed) rmSync(folderOf(installation, version), { recursive: true, force: true })
  const present = listReleases(installation)
  const [old, useful] = [[] as Done[], [] as Done[]]
  for (const done of readHistory(installation)) (present.includes(done.from) ? useful : old).push(done)
  for (const { copies } of old) removeCopies(copies)
  if (old.length > 0) write(installation, useful)
  return removed
}

export function removeCopies(copies: Copies): void {
  for (const copy of listCopies(copies)) rmSync(copy, { force: true })
}
