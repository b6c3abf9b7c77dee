/** `gatehouse migrate [--for ROLE]`: brings databases on PostgreSQL to this version's schema as the role in their addresses, and prints what another role needs. */
import { parseArgs } from 'node:util'
import { findExitCode } from '@/lib/command-exit-code'
import { WrongUse } from '@/lib/commands.mjs'
import { DatabaseError } from '@/lib/database/database-error'
import { describeAddress } from '@/lib/database/postgresql'
import { findRights, grantStatements } from '@/lib/database/postgresql-rights'
import { preparePlace } from '@/lib/database/prepare-place'
import { getSettings, SettingsError } from '@/lib/settings/settings'

/** Nothing to do here; the message is for the operator. */
class Refusal extends Error {}

function readRole(): string | null {
  try {
    const { values } = parseArgs({ options: { for: { type: 'string' } } })
    return values.for ?? null
  } catch {
    throw new WrongUse('migrate')
  }
}

async function run(): Promise<string> {
  const role = readRole()
  const { portalPostgresql, servicePostgresql } = getSettings()
  const lines: string[] = []
  for (const [schema, address] of [
    ['portal', portalPostgresql],
    ['service', servicePostgresql],
  ] as const) {
    if (address === null) continue
    const { applied } = await preparePlace(address, schema)
    const many = applied.length === 1 ? '1 migration' : `${applied.length} migrations`
    lines.push(`${schema}: ${applied.length === 0 ? 'nothing to migrate in' : `${many} applied to`} ${describeAddress(address)}.`)
    if (role === null) continue
    const { owner } = await findRights(address)
    lines.push(`In that database, as ${owner}:`, ...grantStatements({ role, owner, database: address.database }))
  }
  if (lines.length > 0) return `${lines.join('\n')}\n`
  throw new Refusal('No database is on PostgreSQL: files are migrated by a start. Set DATABASE_URL or SERVICE_DATABASE_URL.')
}

try {
  process.stdout.write(await run())
} catch (error) {
  const known = [Refusal, WrongUse, SettingsError, DatabaseError].some((kind) => error instanceof kind)
  process.stderr.write(`${known && error instanceof Error ? error.message : `The migration failed: ${String(error)}`}\n`)
  process.exitCode = findExitCode(error)
}
