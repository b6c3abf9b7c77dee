/** Folders named after the hash of their inputs, so that a new one never touches those that running processes use. */
import { existsSync, openSync, readdirSync, readlinkSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** A folder without this file is unfinished. */
const mark = 'made'

/** In addition to the current one and those in use. Files opened by other users' processes are invisible, so the newest always stay. */
const spared = 2

/** @param {string} folder */
export const isMade = (folder) => existsSync(join(folder, mark))

/** @param {string} folder that is complete now */
export const markMade = (folder) => writeFileSync(join(folder, mark), '')

/** Keeps a folder from being removed while this process runs. @param {string} folder */
export function holdFolder(folder) {
  openSync(join(folder, mark), 'r')
}

/**
 * Removes folders next to `current` that are unfinished, or old and unused. The caller holds the project's lock.
 * @param {string} current
 */
export function removeUnused(current) {
  const parent = resolve(current, '..')
  const others = readdirSync(parent)
    .map((name) => join(parent, name))
    .filter((folder) => /\/[0-9a-f]{16}$/.test(folder) && folder !== resolve(current))
  const madeAt = (/** @type {string} */ folder) => statSync(join(folder, mark)).mtimeMs
  const made = others.filter(isMade).sort((one, other) => madeAt(other) - madeAt(one))
  const old = made.slice(spared)
  const open = old.length > 0 ? openFiles() : new Set()
  for (const folder of [...others.filter((one) => !made.includes(one)), ...old.filter((one) => !open.has(join(one, mark)))]) {
    // First, so that an interrupted removal leaves a folder marked as unfinished.
    rmSync(join(folder, mark), { force: true })
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Files opened by processes that this user may inspect. Empty if there is no /proc. */
function openFiles() {
  const files = new Set()
  for (const pid of list('/proc').filter((name) => /^\d+$/.test(name))) {
    for (const fd of list(`/proc/${pid}/fd`)) {
      try {
        files.add(readlinkSync(`/proc/${pid}/fd/${fd}`))
      } catch {
        // Closed meanwhile, or another user's.
      }
    }
  }
  return files
}

/** @param {string} folder */
function list(folder) {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
