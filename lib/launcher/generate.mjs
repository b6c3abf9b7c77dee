/** Generates the database clients of both halves from their schemas if a schema, Prisma or this file changed since the last time. */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { announce } from './announce.mjs'
import { isMain } from './is-main.mjs'
import { withProjectLock } from './lock.mjs'
import { runTool } from './tool.mjs'

/** Prisma requires a native engine that nothing here uses; naming an existing file prevents a download. */
const quietPrisma = { PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, CHECKPOINT_DISABLE: '1' }

const sourceOf = (/** @type {string} */ schema) => `prisma/${schema}/schema.prisma`
const stampOf = (/** @type {string} */ schema) => `prisma/generated/${schema}/stamp`
const hashSource = (/** @type {string} */ schema) =>
  createHash('sha256')
    .update(readFileSync('node_modules/prisma/package.json'))
    .update(readFileSync(fileURLToPath(import.meta.url)))
    .update(readFileSync(sourceOf(schema)))
    .digest('hex')

const findStale = () =>
  ['portal', 'service'].filter((schema) => !existsSync(stampOf(schema)) || readFileSync(stampOf(schema), 'utf8') !== hashSource(schema))

/** Rejects if a client cannot be generated. */
export async function generateClients() {
  if (findStale().length === 0) return
  await withProjectLock(async () => {
    const stale = findStale()
    if (stale.length === 0) return
    await announce('Generating the database clients', 'Generated the database clients', async () => {
      for (const schema of stale) await generate(schema)
    })
  })
}

/** @param {string} schema */
async function generate(schema) {
  const hash = hashSource(schema)
  const { code, output } = await runTool(
    [process.execPath, 'node_modules/prisma/build/index.js', 'generate', '--schema', sourceOf(schema)],
    { env: { ...process.env, ...quietPrisma } },
  )
  if (code !== 0) throw new Error(`The ${schema} database client could not be generated:\n${output}`)
  addPostgresql(`prisma/generated/${schema}/internal`)
  writeFileSync(stampOf(schema), hash)
}

/**
 * A client speaks to one engine. That for PostgreSQL has the same types and differs in these texts of one file; Prisma would take as long again to
 * generate it. @param {string} folder
 */
function addPostgresql(folder) {
  const client = readFileSync(join(folder, 'class.ts'), 'utf8')
  const changes = /** @type {const} */ ([
    ['"activeProvider": "sqlite"', '"activeProvider": "postgresql"'],
    ['provider = \\"sqlite\\"', 'provider = \\"postgresql\\"'],
    ['query_compiler_small_bg.sqlite.', 'query_compiler_small_bg.postgresql.'],
  ])
  for (const [text] of changes) if (!client.includes(text)) throw new Error(`Prisma's client no longer contains ${text}.`)
  writeFileSync(
    join(folder, 'class-postgresql.ts'),
    changes.reduce((text, [from, to]) => text.replaceAll(from, to), client),
  )
}

if (isMain(import.meta.url)) {
  if (existsSync('node_modules')) await generateClients()
  else {
    process.stderr.write('Gatehouse is not installed here yet. Run "npm run ready" first.\n')
    process.exitCode = 1
  }
}
