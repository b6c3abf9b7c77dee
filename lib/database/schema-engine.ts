/** Prisma's schema engine as WebAssembly, so that migrations need no downloaded binary. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { bindMigrationAwareSqlAdapterFactory, type SqlMigrationAwareDriverAdapterFactory } from '@prisma/driver-adapter-utils'
import { openConnection } from './connection'
import { createAdapter } from './prisma-adapter'
import { Sqlite } from './sqlite'

export type SchemaName = 'portal' | 'service'
export type Engine = 'sqlite' | 'postgresql'

/** The part of the engine's interface that is used here. */
export type SchemaEngine = {
  applyMigrations(input: { migrationsList: MigrationsList; filters: Filters }): Promise<{ appliedMigrationNames: string[] }>
  diff(input: object): Promise<{ exitCode: number; stdout: string | null }>
  free(): void
}

type Filters = { externalTables: string[]; externalEnums: string[] }
type MigrationsList = ReturnType<typeof listMigrations>

type EngineModule = {
  __wbg_set_wasm(exports: WebAssembly.Exports): void
  SchemaEngine: { new: (options: object, onLog: () => void, adapter: object) => Promise<SchemaEngine> }
}

export const noFilters: Filters = { externalTables: [], externalEnums: [] }

const prismaDir = fileURLToPath(new URL('../../prisma', import.meta.url))

/** Each engine has separate migrations, because their SQL differs: docs/decisions/083-postgresql.md. */
export const migrationsFolder = { sqlite: 'migrations', postgresql: 'migrations-postgresql' } as const

let loaded: Promise<EngineModule> | undefined

async function loadEngineModule(): Promise<EngineModule> {
  const dir = dirname(createRequire(join(process.cwd(), 'package.json')).resolve('@prisma/schema-engine-wasm'))
  const glue: EngineModule = await import(/* webpackIgnore: true */ pathToFileURL(join(dir, 'schema_engine_bg.js')).href)
  const wasm = new WebAssembly.Module(readFileSync(join(dir, 'schema_engine_bg.wasm')))
  const instance = new WebAssembly.Instance(wasm, { './schema_engine_bg.js': glue as unknown as WebAssembly.ModuleImports })
  glue.__wbg_set_wasm(instance.exports)
  const start = instance.exports.__wbindgen_start
  if (typeof start === 'function') start()
  return glue
}

/** The schema's text in the form that the schema engine expects. The models are written for SQLite; only the provider differs. */
export function readSchema(schema: SchemaName, engine: Engine = 'sqlite'): { path: string; content: string }[] {
  const path = join(prismaDir, schema, 'schema.prisma')
  return [{ path, content: readFileSync(path, 'utf8').replace('provider = "sqlite"', `provider = "${engine}"`) }]
}

/** The migrations of a schema in order, in the form that the schema engine expects. */
export function listMigrations(schema: SchemaName, engine: Engine = 'sqlite') {
  const baseDir = join(prismaDir, schema, migrationsFolder[engine])
  const migrationDirectories = readdirSync(baseDir)
    .filter((name) => statSync(join(baseDir, name)).isDirectory())
    .sort()
    .map((path) => ({
      path,
      migrationFile: { path: 'migration.sql', content: { tag: 'ok', value: readFileSync(join(baseDir, path, 'migration.sql'), 'utf8') } },
    }))
  const lockfile = { path: 'migration_lock.toml', content: readFileSync(join(baseDir, 'migration_lock.toml'), 'utf8') }
  return { baseDir, lockfile, shadowDbInitScript: '', migrationDirectories }
}

/** Names of the migrations of a schema, in order. */
export const listMigrationNames = (schema: SchemaName, engine: Engine): string[] =>
  listMigrations(schema, engine).migrationDirectories.map(({ path }) => path)

type Work<T> = (engine: SchemaEngine) => Promise<T>

/** Runs the work with the schema engine, which reaches the database through the adapter. */
export async function withAdapter<T>(
  { schema, engine, adapter }: { schema: SchemaName; engine: Engine; adapter: SqlMigrationAwareDriverAdapterFactory },
  work: Work<T>,
): Promise<T> {
  loaded ??= loadEngineModule()
  const module = await loaded
  const datamodels = readSchema(schema, engine).map(({ path, content }) => [path, content])
  const opened = await module.SchemaEngine.new({ datamodels }, () => {}, bindMigrationAwareSqlAdapterFactory(adapter))
  try {
    return await work(opened)
  } finally {
    opened.free()
  }
}

/** Runs the work with the schema engine on an existing database file, then closes both. */
export async function withSchemaEngine<T>(schema: SchemaName, file: string, work: Work<T>): Promise<T> {
  const connection = openConnection(file)
  // One connection for both, because the engine locks the file exclusively and then reads it.
  const database = new Sqlite(file, () => connection)
  try {
    return await withAdapter({ schema, engine: 'sqlite', adapter: createAdapter(database) }, work)
  } finally {
    await database.close()
  }
}

/** Applies all migrations that the file lacks. */
export async function applyAll(schema: SchemaName, file: string): Promise<void> {
  await withSchemaEngine(schema, file, (engine) => engine.applyMigrations({ migrationsList: listMigrations(schema), filters: noFilters }))
}
