/** One process per database: a file beside it names the process that has it, and a dead one's claim is taken over. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

type Claim = { pid: number; started: string }

/** Another process has the database; the message is one line for the operator. */
export class ClaimError extends Error {}

const claimFile = (database: string) => `${database}.running`

/** The kernel's start time of a process tells it from a later one with the same number; empty where /proc is not there. */
function startedAt(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
  } catch {
    return ''
  }
}

function isAlive({ pid, started }: Claim): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return false
  }
  return started === startedAt(pid)
}

/** The number of the living process that has the database, or null. */
export function findClaimant(database: string): number | null {
  try {
    const claim: Claim = JSON.parse(readFileSync(claimFile(database), 'utf8'))
    return isAlive(claim) ? claim.pid : null
  } catch {
    return null
  }
}

/** Takes the database for this process until it exits. Throws ClaimError while a living process has it. */
export function claimDatabase(database: string): void {
  const other = findClaimant(database)
  if (other !== null && other !== process.pid) {
    throw new ClaimError(`Process ${other} is already running on ${database}. Stop it first.`)
  }
  mkdirSync(dirname(database), { recursive: true, mode: 0o700 })
  const file = claimFile(database)
  writeFileSync(file, JSON.stringify({ pid: process.pid, started: startedAt(process.pid) }), { mode: 0o600 })
  process.once('exit', () => rmSync(file, { force: true }))
}
