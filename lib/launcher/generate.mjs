/** Generates the two database clients from their schemas, when a schema changed since the last time. */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'

/** Prisma asks for a native engine that nothing here uses; naming an existing file keeps it from downloading one. */
const quietPrisma = { PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, CHECKPOINT_DISABLE: '1' }

/** Throws when a schema cannot be generated. */
export function generateClients() {
  for (const schema of ['portal', 'service']) {
    const source = `prisma/${schema}/schema.prisma`
    const stamp = `prisma/generated/${schema}/stamp`
    const hash = createHash('sha256').update(readFileSync(source)).digest('hex')
    if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) continue
    const run = spawnSync(process.execPath, ['node_modules/prisma/build/index.js', 'generate', '--schema', source], {
      env: { ...process.env, ...quietPrisma },
      encoding: 'utf8',
    })
    if (run.status !== 0) throw new Error(`The ${schema} database client could not be generated:\n${run.stdout}${run.stderr}`)
    writeFileSync(stamp, hash)
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) generateClients()
