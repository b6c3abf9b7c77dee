/** Tries the databases on PostgreSQL, so that an administrator learns what their roles may not do, and what they need not do. */
import { DatabaseError } from '@/lib/database/database-error'
import { describeAddress } from '@/lib/database/postgresql'
import { findRights, grantStatements } from '@/lib/database/postgresql-rights'
import { findPendingAt } from '@/lib/database/prepare-place'
import type { PostgresqlAddress } from '@/lib/settings/database'
import type { Settings } from '@/lib/settings/settings'

/** faults: Gatehouse would not run. notes: it runs, and could be safer. Each is a sentence, with statements on lines below. */
export type DatabaseFindings = { faults: string[]; notes: string[] }

export async function checkDatabases({ portalPostgresql, servicePostgresql }: Settings): Promise<DatabaseFindings> {
  const found: DatabaseFindings = { faults: [], notes: [] }
  for (const [schema, setting, address] of [
    ['portal', 'DATABASE_URL', portalPostgresql],
    ['service', 'SERVICE_DATABASE_URL', servicePostgresql],
  ] as const) {
    if (address === null) continue
    try {
      await checkOne({ schema, setting, address }, found)
    } catch (error) {
      if (!(error instanceof DatabaseError)) throw error
      found.faults.push(`${setting}: ${error.message}`)
    }
  }
  return found
}

type Checked = { schema: 'portal' | 'service'; setting: string; address: PostgresqlAddress }

async function checkOne({ schema, setting, address }: Checked, { faults, notes }: DatabaseFindings): Promise<void> {
  const { role, owner, isMade, mayChangeSchema, missing } = await findRights(address)
  const where = `the database ${describeAddress(address)}`
  if (missing.length > 0) {
    const tables = missing.length === 1 ? 'a table' : `${missing.length} tables`
    const statements = grantStatements({ role, owner, database: address.database }).map((statement) => `  ${statement}`)
    faults.push([`${setting}: the role ${role} may not use ${tables} of ${where}. Run in it as ${owner}:`, ...statements].join('\n'))
    return
  }
  const pending = await findPendingAt(address, schema)
  if (pending.length > 0 && !mayChangeSchema) {
    const what = isMade ? `lacks ${pending.length === 1 ? 'a migration' : `${pending.length} migrations`}` : 'has no tables yet'
    faults.push(
      `${setting}: ${where} ${what}, and the role ${role} may not change it. Run ./gatehouse migrate --for ${role} with the owner in ${setting}.`,
    )
  } else if (mayChangeSchema && isMade) {
    notes.push(
      `${setting}: the role ${role} can change the tables of ${where}, which only migrations need. ./gatehouse migrate --for ROLE shows what another role needs to run Gatehouse.`,
    )
  }
}
