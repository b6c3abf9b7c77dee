/** Ensures that only one process uses a database: an SQLite lock on a file next to it, which the kernel releases when the process ends. */
import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Connection, isBusy, openConnection } from './connection'

/** Another process uses the database; the message is one line for the operator. */
export class ClaimError extends Error {}

/**
 * Only this module may open that file: POSIX locks end when their process closes any handle on the file. A process id is not
 * enough, because two containers that share a folder do not see each other's processes.
 */
const claimFile = (database: string) => `${existsSync(database) ? realpathSync(database) : database}.claim`

/** How long checking a claim may delay a process that is claiming, in milliseconds. */
const waitMs = 200

const held = new Map<string, Connection>()

/**
 * Claims the database for this process until it exits or calls the returned function. If this process already has the claim, it keeps
 * it, and the returned function does nothing. Throws ClaimError if another process has it.
 */
export function claimDatabase(database: string): () => void {
  if (held.has(database)) return () => {}
  mkdirSync(dirname(database), { recursive: true, mode: 0o700 })
  const former = findFormerClaimant(database)
  if (former !== null) throw new ClaimError(describeClaim(database, former))
  rmSync(formerClaimFile(database), { force: true })
  const connection = openConnection(claimFile(database), { waitMs })
  try {
    connection.script('BEGIN IMMEDIATE')
    // Another process may write its own id between the commit and the permanent lock.
    while (readClaimant(connection) !== process.pid) connection.script(`PRAGMA user_version = ${process.pid}; COMMIT; BEGIN IMMEDIATE`)
  } catch (error) {
    const pid = readClaimant(connection)
    connection.close()
    throw isBusy(error) ? new ClaimError(describeClaim(database, pid)) : error
  }
  held.set(database, connection)
  return () => {
    held.delete(database)
    connection.close()
  }
}

/** The id of the process that has the database, or null. Does not affect the claim. */
export function findClaimant(database: string): number | null {
  if (held.has(database)) return process.pid
  const former = findFormerClaimant(database)
  if (former !== null) return former
  if (!existsSync(claimFile(database))) return null
  const connection = openConnection(claimFile(database), { waitMs })
  try {
    connection.script('BEGIN IMMEDIATE; ROLLBACK')
    return null
  } catch (error) {
    if (isBusy(error)) return readClaimant(connection)
    throw error
  } finally {
    connection.close()
  }
}

const formerClaimFile = (database: string) => `${database}.running`

/** Versions before 2026-11-22 used a file with the process id; such a process may still be running during this start. */
function findFormerClaimant(database: string): number | null {
  try {
    const { pid, started }: { pid: number; started: string } = JSON.parse(readFileSync(formerClaimFile(database), 'utf8'))
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] === started ? pid : null
  } catch {
    return null
  }
}

/** One line for the operator. */
export const describeClaim = (database: string, pid: number): string =>
  `Process ${pid} is already running on ${database} (or another container reused its number). Stop it first.`

/** The process id that the claiming process writes before it takes the permanent lock; readable despite the lock. */
const readClaimant = (connection: Connection): number => Number(connection.query('PRAGMA user_version', []).rows[0]?.[0])
