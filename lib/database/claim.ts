/** One process per database: a lock of SQLite's on a file beside it, which the kernel gives up with the process that holds it. */
import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Connection, isBusy, openConnection } from './connection'

/** Another process has the database; the message is one line for the operator. */
export class ClaimError extends Error {}

/**
 * Nothing but this module may open that file: POSIX locks end when their process closes any handle on the file.
 * Process numbers would not do: two containers on one folder do not see each other's.
 */
const claimFile = (database: string) => `${existsSync(database) ? realpathSync(database) : database}.claim`

/** How long a look at a claim may get in the way of whoever claims, milliseconds. */
const waitMs = 200

const held = new Map<string, Connection>()

/**
 * Takes the database for this process until it exits or calls what this returns. A process that holds the claim
 * already keeps it: the function returned then does nothing. Throws ClaimError while another process has it.
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
    // Another process may come between the commit and the lock that stays, and leave its own number.
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

/** The number of the process that has the database, as that process knows itself, or null. Takes nothing from anybody. */
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

/** Versions before 2026-11-22 claimed by a file that names their process: one of them may still run while this one starts. */
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

/** Written by whoever claims, before the lock is taken for good: it can be read past the lock. */
const readClaimant = (connection: Connection): number => Number(connection.query('PRAGMA user_version', []).rows[0]?.[0])
