/** The folders of the databases and the keys: created for their owner only, or checked. */
import { accessSync, constants, mkdirSync, statSync } from 'node:fs'

/**
 * Creates the folder if it is missing. An existing one keeps its mode, because it may contain other files that others need. Throws with one
 * line that names the setting and the remedy if others can access it, or if it is not writable.
 */
export function requireOwnFolder(setting: string, folder: string): void {
  const refuse = (what: string, mend: string) => new Error(`The folder ${folder} ${what}. ${mend}, or set ${setting} to another one.`)
  const { mode, uid } = makeFolder(folder) ?? { mode: 0, uid: -1 }
  if (uid === -1) throw refuse('cannot be created or written', 'Fix its owner')
  if (process.geteuid && uid !== process.geteuid()) throw refuse('belongs to another user', `Run chown ${process.geteuid()} ${folder}`)
  if ((mode & 0o077) !== 0) throw refuse('is accessible to other users', `Run chmod 0700 ${folder} if nothing else is kept there`)
}

/** Null if it cannot be created or written. */
function makeFolder(folder: string): { mode: number; uid: number } | null {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    accessSync(folder, constants.W_OK | constants.X_OK)
    const stat = statSync(folder)
    return stat.isDirectory() ? stat : null
  } catch {
    return null
  }
}
