/** Writes the migrations that a changed schema needs, or reports that none is needed. That for PostgreSQL needs an empty database there, which stays
 * empty: `npm run db:migration -- SCHEMA NAME postgresql://user@localhost/empty?host=/run/postgresql`
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import { type PostgresqlAddress, parsePostgresql } from '@/lib/settings/database'
import { openConnection } from './connection'
import { connectionOptions } from './postgresql'
import { createMigrationAdapter } from './postgresql-prepare'
import {
  type Engine,
  listMigrations,
  migrationsFolder,
  noFilters,
  readSchema,
  type SchemaEngine,
  type SchemaName,
  withAdapter,
  withSchemaEngine,
} from './schema-engine'

/** The SQL that leads from the migrations for SQLite to the schema; empty if they agree. */
export async function diffMigrations(schema: SchemaName): Promise<string> {
  const dir = mkdtempSync(join(tmpdir(), 'gatehouse-shadow-'))
  const file = join(dir, 'shadow.db')
  openConnection(file).close()
  try {
    return await withSchemaEngine(schema, file, (opened) => diff(opened, schema, 'sqlite'))
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

/** The same for PostgreSQL, in an empty database there, which stays as it is. */
export async function diffMigrationsOnPostgresql(schema: SchemaName, shadow: PostgresqlAddress): Promise<string> {
  const session = new pg.Client(connectionOptions(shadow))
  await session.connect()
  try {
    await session.query('BEGIN')
    const adapter = createMigrationAdapter(session)
    return await withAdapter({ schema, engine: 'postgresql', adapter }, (opened) => diff(opened, schema, 'postgresql'))
  } finally {
    // Without a commit, nothing of it stays.
    await session.end()
  }
}

async function diff(opened: SchemaEngine, schema: SchemaName, engine: Engine): Promise<string> {
  const files = readSchema(schema, engine)
  await opened.applyMigrations({ migrationsList: listMigrations(schema, engine), filters: noFilters })
  const difference = await opened.diff({
    from: { tag: 'schemaDatasource', configDir: '.', files },
    to: { tag: 'schemaDatamodel', files },
    script: true,
    exitCode: true,
    shadowDatabaseUrl: null,
    filters: noFilters,
  })
  return difference.exitCode === 2 ? (difference.stdout ?? '') : ''
}

const usage = 'usage: npm run db:migration -- portal|service NAME [ADDRESS OF AN EMPTY DATABASE ON POSTGRESQL]\n'

async function main(schema: string | undefined, name: string | undefined, given: string | undefined): Promise<void> {
  const shadow = parsePostgresql({ DATABASE_URL: given }, 'DATABASE', (file) => file)
  if ((schema !== 'portal' && schema !== 'service') || !name || (shadow && 'invalid' in shadow)) {
    process.stderr.write(usage)
    process.exit(2)
  }
  const folder = `${new Date().toISOString().replace(/\D/g, '').slice(0, 14)}_${name}`
  write(schema, 'sqlite', folder, await diffMigrations(schema))
  if (shadow) write(schema, 'postgresql', folder, await diffMigrationsOnPostgresql(schema, shadow))
  else process.stdout.write('Not compared for PostgreSQL: give the address of an empty database there.\n')
}

function write(schema: SchemaName, engine: Engine, folder: string, sql: string): void {
  const dir = join('prisma', schema, migrationsFolder[engine], folder)
  if (sql !== '') {
    mkdirSync(dir, { recursive: true })
    writeFileSync(join(dir, 'migration.sql'), sql)
  }
  process.stdout.write(sql === '' ? `The migrations for ${engine} already produce this schema.\n` : `${dir}\n`)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main(process.argv[2], process.argv[3], process.argv[4])
