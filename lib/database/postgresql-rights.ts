/** What a role may do with a half's database on PostgreSQL, and the statements that give it what a running Gatehouse needs and no more. */
import pg from 'pg'
import type { PostgresqlAddress } from '@/lib/settings/database'
import { hasMigrations, withSession } from './postgresql-session'

export type Rights = {
  role: string
  /** Who owns the tables; the role itself before there are any. */
  owner: string
  /** Whether a start has made the tables. */
  isMade: boolean
  /** Creates tables in the schema, owns some, or is a superuser. */
  mayChangeSchema: boolean
  /** Tables of which it may not read and write rows. */
  missing: string[]
}

const needed = ['SELECT', 'INSERT', 'UPDATE', 'DELETE'] as const

type Row = { role: string; superuser: boolean; creates: boolean }
type TableRow = { name: string; owner: string; owns: boolean; may: boolean }

/** Of the role in the address. Rejects with DatabaseError if the database cannot be reached. */
export const findRights = (address: PostgresqlAddress): Promise<Rights> =>
  withSession(address, async (session) => {
    const [own] = await ask<Row>(
      session,
      `SELECT rolname AS role, rolsuper AS superuser, has_schema_privilege('public', 'CREATE') AS creates FROM pg_roles WHERE rolname = current_user`,
    )
    const tables = await ask<TableRow>(
      session,
      `SELECT relname AS name, relowner::regrole::text AS owner, pg_has_role(relowner, 'USAGE') AS owns,
         has_schema_privilege('public', 'USAGE') AND ${needed.map((right) => `has_table_privilege(oid, '${right}')`).join(' AND ')} AS may
       FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY 1`,
    )
    const role = own?.role ?? address.user
    return {
      role,
      owner: tables[0]?.owner ?? role,
      isMade: await hasMigrations(session),
      mayChangeSchema: own?.superuser === true || own?.creates === true || tables.some(({ owns }) => owns),
      missing: tables.filter(({ may }) => !may).map(({ name }) => name),
    }
  })

async function ask<T extends pg.QueryResultRow>(session: pg.Client, sql: string): Promise<T[]> {
  return (await session.query<T>(sql)).rows
}

/** Statements for psql, to be run in the database by the owner of its tables. They also cover tables of later versions. */
export function grantStatements({ role, owner, database }: { role: string; owner: string; database: string }): string[] {
  const [to, by] = [pg.escapeIdentifier(role), owner.startsWith('"') ? owner : pg.escapeIdentifier(owner)]
  const rights = needed.join(', ')
  return [
    `GRANT CONNECT ON DATABASE ${pg.escapeIdentifier(database)} TO ${to};`,
    `GRANT USAGE ON SCHEMA public TO ${to};`,
    `GRANT ${rights} ON ALL TABLES IN SCHEMA public TO ${to};`,
    `ALTER DEFAULT PRIVILEGES FOR ROLE ${by} IN SCHEMA public GRANT ${rights} ON TABLES TO ${to};`,
  ]
}
