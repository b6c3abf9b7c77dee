/** A migrated, empty database of each half: made once a run, and copied by every test that needs one. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { prepareDatabase } from '@/lib/database/prepare'
import type { SchemaName } from '@/lib/database/schema-engine'

/** Where vitest.config.ts's global setup tells the workers what it made. */
const variable = 'TEST_DATABASE_TEMPLATES'

const makeFolder = (): string => mkdtempSync(join(tmpdir(), 'gatehouse-templates-'))

async function make(folder: string, schema: SchemaName): Promise<string> {
  const file = join(folder, `${schema}.db`)
  await prepareDatabase({ file, schema })
  return file
}

/** Each project of a run calls the setup with separate modules, in one process, which has room for one schema engine. */
const holder: { gatehouseTemplates?: Promise<string> } = globalThis as object

async function makeAll(): Promise<string> {
  const folder = makeFolder()
  // The process of the whole run: what its workers start outlives them.
  writeFileSync(runProcessFile(folder), String(process.pid))
  await make(folder, 'portal')
  await make(folder, 'service')
  return folder
}

/** Vitest calls this before the first worker starts, and what it gives once the last has ended. */
export default async function setup(): Promise<() => Promise<void>> {
  holder.gatehouseTemplates ??= makeAll()
  const folder = await holder.gatehouseTemplates
  process.env[variable] = folder
  return async () => {
    await stopStarted(folder)
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Ends the cluster of PostgreSQL that a worker may have started. */
async function stopStarted(folder: string): Promise<void> {
  const { clusterFile, stopPostgresql } = await import('./postgresql')
  const file = clusterFile(folder)
  if (existsSync(file)) stopPostgresql(readFileSync(file, 'utf8'))
}

/** The file in the run's folder with the id of the run's process. */
export const runProcessFile = (folder: string): string => join(folder, 'process')

/** A folder that is deleted when the run ends; undefined outside vitest. */
export const runFolder = (): string | undefined => process.env[variable]

const own = new Map<SchemaName, Promise<string>>()

/** The file to copy. Where nothing was made before, as in `npm run bench`, this process makes its own. */
export async function templateOf(schema: SchemaName): Promise<string> {
  const folder = runFolder()
  if (folder !== undefined) return join(folder, `${schema}.db`)
  const made = own.get(schema) ?? makeOwn(schema)
  own.set(schema, made)
  return made
}

async function makeOwn(schema: SchemaName): Promise<string> {
  const folder = makeFolder()
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return make(folder, schema)
}
