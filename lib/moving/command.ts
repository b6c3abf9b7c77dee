/** `gatehouse move-to-postgresql [portal|service]`: copies databases in files to those on PostgreSQL that the settings name, and verifies the copies. The files stay as they are. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { promisify } from 'node:util'
import { findExitCode } from '@/lib/command-exit-code'
import { WrongUse } from '@/lib/commands.mjs'
import { ClaimError } from '@/lib/database/claim'
import { DatabaseError } from '@/lib/database/database-error'
import { describeAddress } from '@/lib/database/postgresql'
import { nodeArguments } from '@/lib/own-program'
import { getSettings, type Settings, SettingsError } from '@/lib/settings/settings'
import { copyRows, type Move, removeRows } from './copy-rows'

/** A message for the operator, printed unchanged. */
class Refusal extends Error {}

const settingOf = { portal: 'DATABASE_URL', service: 'SERVICE_DATABASE_URL' } as const

/** The halves to move: the one that is named, or each with a file and an address. */
function chooseMoves(given: readonly string[], settings: Settings): Move[] {
  const [half, ...rest] = given
  if (rest.length > 0 || (half !== undefined && half !== 'portal' && half !== 'service')) throw new WrongUse('move-to-postgresql')
  const { portalDatabase, portalPostgresql, serviceDatabase, servicePostgresql } = settings
  const all = [
    { schema: 'portal', file: portalDatabase, address: portalPostgresql },
    { schema: 'service', file: serviceDatabase, address: servicePostgresql },
  ] as const
  const moves: Move[] = []
  for (const { schema, file, address } of all) {
    if (half !== undefined && half !== schema) continue
    const lacks = address === null ? `${settingOf[schema]} is not set` : existsSync(file) ? null : `there is no ${file}`
    if (address !== null && lacks === null) moves.push({ schema, file, address })
    else if (half !== undefined) throw new Refusal(`The ${schema} cannot be moved: ${lacks}.`)
  }
  if (moves.length > 0) return moves
  throw new Refusal(
    `There is nothing to move: set DATABASE_URL and SERVICE_DATABASE_URL to empty databases, and GATEHOUSE_DATA to the folder of the present ones (${settings.dataDir}).`,
  )
}

const formatNumber = (value: number): string => value.toLocaleString('en')

async function move(each: Move, settings: Settings): Promise<void> {
  const { schema, file, address } = each
  const since = performance.now()
  const counts = await copyRows(each)
  const rows = [...counts.values()].reduce((sum, count) => sum + count, 0)
  const seconds = Math.ceil((performance.now() - since) / 1000)
  const many = `${counts.size} tables with ${formatNumber(rows)} rows`
  process.stdout.write(
    `${schema}: ${many} copied to ${describeAddress(address)} in ${seconds} s; each table has as many rows as in ${file}.\n`,
  )
  const failed = await verify(schema, settings)
  if (failed === null) return
  await removeRows(address)
  throw new Refusal(
    `${failed}\nThe copy was removed, because it cannot be verified. See what ./gatehouse keys ${schema === 'service' ? '--service ' : ''}verify says of the file.`,
  )
}

/** Each half's own check of what is encrypted, and of the audit log with its heads. Resolves with why it failed, or null. */
async function verify(half: Move['schema'], { kekFromEnvironment }: Settings): Promise<string | null> {
  const key = half === 'portal' && kekFromEnvironment !== null ? { GATEHOUSE_KEK: kekFromEnvironment } : {}
  const program = nodeArguments(half === 'portal' ? 'portal-keys' : 'service-keys')
  const env = { ...process.env, LOG_LEVEL: 'silent', ...key } as NodeJS.ProcessEnv
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [...program, 'verify'], { env, maxBuffer: 10_000_000 })
    process.stdout.write(stdout)
    return null
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
    return `${stdout}${stderr}`.trim() || String(error)
  }
}

try {
  const settings = getSettings()
  const moves = chooseMoves(process.argv.slice(2), settings)
  for (const each of moves) await move(each, settings)
  process.stdout.write(
    `Gatehouse can start with these settings. It no longer uses ${moves.map(({ file }) => file).join(' and ')}, which ${moves.length === 1 ? 'is' : 'are'} unchanged.\n`,
  )
} catch (error) {
  const known = [Refusal, WrongUse, SettingsError, DatabaseError, ClaimError].some((kind) => error instanceof kind)
  process.stderr.write(`${known && error instanceof Error ? error.message : `The move failed: ${String(error)}`}\n`)
  process.exitCode = findExitCode(error)
}
