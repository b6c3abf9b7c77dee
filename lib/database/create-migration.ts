/** Writes the migration that a changed schema needs (`npm run db:migration -- SCHEMA NAME`), or reports that none is needed. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { openConnection } from './connection'
import { listMigrations, noFilters, readSchema, type SchemaName, withSchemaEngine } from './schema-engine'

/** The SQL that leads from the migrations to the schema; empty if they agree. */
export async function diffMigrations(schema: SchemaName): Promise<string> {
  const dir = mkdtempSync(join(tmpdir(), 'gatehouse-shadow-'))
  const file = join(dir, 'shadow.db')
  openConnection(file).close()
  const files = readSchema(schema)
  try {
    return await withSchemaEngine(schema, file, async (engine) => {
      await engine.applyMigrations({ migrationsList: listMigrations(schema), filters: noFilters })
      const difference = await engine.diff({
        from: { tag: 'schemaDatasource', configDir: '.', files },
        to: { tag: 'schemaDatamodel', files },
        script: true,
        exitCode: true,
        shadowDatabaseUrl: null,
        filters: noFilters,
      })
      return difference.exitCode === 2 ? (difference.stdout ?? '') : ''
    })
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

async function main(schema: string | undefined, name: string | undefined): Promise<void> {
  if ((schema !== 'portal' && schema !== 'service') || !name) {
    process.stderr.write('usage: npm run db:migration -- portal|service NAME\n')
    process.exit(2)
  }
  const sql = await diffMigrations(schema)
  if (!sql) {
    process.stdout.write('The migrations already produce this schema.\n')
    return
  }
  const folder = `${new Date().toISOString().replace(/\D/g, '').slice(0, 14)}_${name}`
  const dir = join('prisma', schema, 'migrations', folder)
  mkdirSync(dir, { recursive: true })
  writeFileSync(join(dir, 'migration.sql'), sql)
  process.stdout.write(`${dir}\n`)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main(process.argv[2], process.argv[3])
