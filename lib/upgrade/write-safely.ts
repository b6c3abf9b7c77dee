/** Writes that are whole on disk when the function returns, also after a power cut. */
import { closeSync, fsyncSync, openSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** Replaces the file in one step. */
export function writeSafely(file: string, text: string): void {
  const unfinished = `${file}.new`
  const handle = openSync(unfinished, 'w', 0o644)
  try {
    writeFileSync(handle, text)
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
  renameSync(unfinished, file)
  syncFolder(dirname(file))
}

/** Renames and removals in the folder are on disk then. */
export function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
