/** `npm run rollback [-- portal|service [COPY] [--yes]]`: says what going back to the copy from before an upgrade loses, and does it. */
import { existsSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { ClaimError, describeClaim, findClaimant } from '@/lib/database/claim'
import { listSafetyCopies } from '@/lib/database/safety-copies'
import { getSettings, type Settings, SettingsError } from '@/lib/settings/settings'
import { describeLosses, type Half, readLastEntry } from './losses'
import { checkCopy, putBack, RollbackError } from './rollback'

const usage = `usage: npm run rollback                              list the copies that there are
       npm run rollback -- portal|service [COPY]     say what going back to the newest copy, or COPY, loses
       npm run rollback -- portal|service [COPY] --yes   do it`

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
    ? `Copies from before upgrades, oldest first:\n${lines.join('\n')}\n\n${usage}\n`
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

function describe(half: Half, file: string, copy: string): string {
  const losses = describeLosses(half, file, copy)
  const lost =
    losses === null
      ? 'The present database cannot be read, so nothing is known of what is lost.'
      : `Lost: ${losses.length > 0 ? `${losses.join(', ')}, and` : ''} whatever was changed in the ${half} since then.`
  return `The copy ${basename(copy)} was made on ${dateOf(copy)}, before an upgrade. It is whole.\n${lost}\n`
}

function requireStopped(file: string): void {
  const claimant = findClaimant(file)
  if (claimant !== null) throw new ClaimError(describeClaim(file, claimant))
}

/**
 * The signed heads of the audit log say first that entries will be missing on purpose: `npm run keys -- verify` then tells so
 * instead of calling them cut off. Where the present database cannot be opened nothing can be signed; the sentence says so.
 */
async function notePutBack(file: string, copy: string): Promise<string> {
  const [present, older] = [readLastEntry(file), readLastEntry(copy)]
  if (!older) return ''
  try {
    const [{ openRing }, heads, { closeDatabase }] = await Promise.all([
      import('@/lib/portal/custody/ring'),
      import('@/lib/portal/audit/heads/write'),
      import('@/lib/portal/db'),
    ])
    await openRing()
    await heads.notePutBack(older, present?.seq)
    await closeDatabase()
    return ''
  } catch {
    return 'This could not be written into the file of signed heads, so npm run keys -- verify will report the lost entries.\n'
  }
}

async function run(): Promise<string> {
  const { values, positionals } = readArguments()
  const [half, given, ...rest] = positionals
  const settings = getSettings()
  if (half === undefined) return listAll(settings)
  if (!isHalf(half) || rest.length > 0) throw new RollbackError(usage)
  const file = fileOf(settings, half)
  const copy = chooseCopy(file, given)
  checkCopy(copy)
  const said = describe(half, file, copy)
  if (!values.yes) return `${said}Stop Gatehouse, then add --yes to put it back.\n`
  requireStopped(file)
  const note = half === 'portal' ? await notePutBack(file, copy) : ''
  const { kept } = putBack(file, copy)
  return `${said}${note}Done. The replaced database is kept as ${basename(kept)}. Check out the older version, run npm run ready and start it.\n`
}

const isHalf = (word: string): word is Half => (halves as readonly string[]).includes(word)

function readArguments() {
  try {
    return parseArgs({ options: { yes: { type: 'boolean', default: false } }, allowPositionals: true })
  } catch {
    throw new RollbackError(usage)
  }
}

try {
  process.stdout.write(await run())
} catch (error) {
  const known = [RollbackError, ClaimError, SettingsError].some((kind) => error instanceof kind)
  process.stderr.write(`${known && error instanceof Error ? error.message : `The rollback failed: ${String(error)}`}\n`)
  process.exitCode = 1
}
