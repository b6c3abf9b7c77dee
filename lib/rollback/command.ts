/** `gatehouse rollback [portal|service [COPY] [--yes]]`: reports what restoring a copy from before an upgrade loses, and restores it. */
import { existsSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { findExitCode } from '@/lib/command-exit-code'
import { usageOf, WrongUse } from '@/lib/commands.mjs'
import { ClaimError, describeClaim, findClaimant } from '@/lib/database/claim'
import { listSafetyCopies } from '@/lib/database/safety-copies'
import { getSettings, type Settings, SettingsError } from '@/lib/settings/settings'
import { describeLosses, type Half } from './losses'
import { putBack } from './put-back'
import { checkCopy, RollbackError } from './rollback'

const halves: readonly Half[] = ['portal', 'service']

const fileOf = (settings: Settings, half: Half): string => (half === 'portal' ? settings.portalDatabase : settings.serviceDatabase)

const copiesOf = (file: string): string[] => (existsSync(dirname(file)) ? listSafetyCopies(file) : [])

/** `…before-20261122140501` → `2026-11-22 14:05:01 UTC` */
function dateOf(copy: string): string {
  const [, year, month, day, hour, minute, second] = /\.before-(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(copy) ?? []
  return year ? `${year}-${month}-${day} ${hour}:${minute}:${second} UTC` : 'an unknown date'
}

function listAll(settings: Settings): string {
  const lines = halves.flatMap((half) =>
    copiesOf(fileOf(settings, half)).map((copy) => `${half.padEnd(8)} ${dateOf(copy)}  ${basename(copy)}`),
  )
  return lines.length > 0
    ? `Copies from before upgrades, oldest first:\n${lines.join('\n')}\n\n${usageOf('rollback')}\n`
    : `There is no copy in ${settings.dataDir}: no upgrade has changed a database here.\n`
}

function chooseCopy(file: string, given: string | undefined): string {
  if (given === undefined) {
    const newest = copiesOf(file).at(-1)
    if (!newest) throw new RollbackError(`There is no copy beside ${file}: no upgrade has changed it.`)
    return newest
  }
  return existsSync(given) ? resolve(given) : resolve(dirname(file), given)
}

const revived = 'Valid again: passwords, members, connections and sessions as they were then. What was changed on servers stays.\n'

function describe(half: Half, file: string, copy: string): string {
  const losses = describeLosses(half, file, copy)
  const lost =
    losses === null
      ? 'The current database cannot be read, so what would be lost is unknown.'
      : `Lost: ${[...losses, `whatever was changed in the ${half} since then`].join(', ')}.`
  return `The copy ${basename(copy)} was made on ${dateOf(copy)}, before an upgrade. It is intact.\n${lost}\n${half === 'portal' ? revived : ''}`
}

function requireStopped(file: string): void {
  const claimant = findClaimant(file)
  if (claimant !== null) throw new ClaimError(describeClaim(file, claimant))
}

async function run(): Promise<string> {
  const { values, positionals } = readArguments()
  const [half, given, ...rest] = positionals
  const settings = getSettings()
  if (half === undefined) return listAll(settings)
  if (!isHalf(half) || rest.length > 0) throw new WrongUse('rollback')
  if ((half === 'portal' ? settings.portalPostgresql : settings.servicePostgresql) !== null) {
    throw new RollbackError(`The ${half} is on PostgreSQL, where a start makes no copy. Restore a backup into an empty database.`)
  }
  const file = fileOf(settings, half)
  const copy = chooseCopy(file, given)
  checkCopy(half, copy)
  const said = describe(half, file, copy)
  if (!values.yes) return `${said}Stop Gatehouse, then add --yes to restore it.\n`
  requireStopped(file)
  const { kept, note } = await putBack(half, file, copy)
  return `${said}${note}Done. The replaced database is kept as ${basename(kept)}. Start the older version now; in a clone, check it out and run npm run ready first.\n`
}

const isHalf = (word: string): word is Half => (halves as readonly string[]).includes(word)

function readArguments() {
  try {
    return parseArgs({ options: { yes: { type: 'boolean', default: false } }, allowPositionals: true })
  } catch {
    throw new WrongUse('rollback')
  }
}

try {
  process.stdout.write(await run())
} catch (error) {
  const known = [RollbackError, WrongUse, ClaimError, SettingsError].some((kind) => error instanceof kind)
  process.stderr.write(`${known && error instanceof Error ? error.message : `The rollback failed: ${String(error)}`}\n`)
  process.exitCode = findExitCode(error)
}
