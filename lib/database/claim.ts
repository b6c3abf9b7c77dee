/** One process per database: a file beside it names the process that has it, and a dead one's claim is taken over. */
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
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
    if (codeOf(error) !== 'EPERM') return false
  }
  return started === startedAt(pid)
}

function readClaimant(file: string): number | null {
  try {
    const claim: Claim = JSON.parse(readFileSync(file, 'utf8'))
    return isAlive(claim) ? claim.pid : null
  } catch {
    return null
  }
}

/** The number of the living process that has the database, or null. */
export function findClaimant(database: string): number | null {
  return readClaimant(claimFile(database))
}

/** A link appears whole or not at all, and never over another: of two who try at once, one is first. */
function tryClaim(file: string): boolean {
  const own = `${file}.${process.pid}`
  writeFileSync(own, JSON.stringify({ pid: process.pid, started: startedAt(process.pid) }), { mode: 0o600 })
  try {
    linkSync(own, file)
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  } finally {
    rmSync(own, { force: true })
  }
}

/** Takes a dead claim away. Another may have done so and claimed since we looked: then its claim is put back. */
function removeDead(file: string): void {
  const aside = `${file}.${process.pid}.dead`
  try {
    renameSync(file, aside)
    if (readClaimant(aside) !== null) linkSync(aside, file)
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' && codeOf(error) !== 'EEXIST') throw error
  } finally {
    rmSync(aside, { force: true })
  }
}

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '')

/** Takes the database for this process until it exits. Throws ClaimError while a living process has it. */
export function claimDatabase(database: string): void {
  mkdirSync(dirname(database), { recursive: true, mode: 0o700 })
  const file = claimFile(database)
  while (!tryClaim(file)) {
    const other = findClaimant(database)
    if (other === process.pid) return
    if (other !== null) throw new ClaimError(`Process ${other} is already running on ${database}. Stop it first.`)
    removeDead(file)
  }
  process.once('exit', () => rmSync(file, { force: true }))
}
