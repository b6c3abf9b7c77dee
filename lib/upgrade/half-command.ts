/** What an upgrade does with one database: `try`, `copy TO`, `restore FROM`, `describe COPY`. A program of its own: the new release tries its own migrations, and the half's user runs it. */
import { mkdirSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { copyDatabase } from '@/lib/database/copy'
import { refusePostgresql } from '@/lib/database/place'
import { prepareDatabase } from '@/lib/database/prepare'
import { moveInto } from '@/lib/database/replace'
import { describeLosses, type Half } from '@/lib/rollback/losses'
import { putBack } from '@/lib/rollback/put-back'
import { getSettings } from '@/lib/settings/settings'

/** Migrates a copy of the database and removes it. Rejects with DatabaseError. Resolves with the names of the migrations. */
async function tryMigrations(half: Half, file: string): Promise<string> {
  const folder = `${file}.trying`
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { mode: 0o700 })
  try {
    const copy = join(folder, basename(file))
    copyDatabase(file, copy)
    return (await prepareDatabase({ file: copy, schema: half })).applied.join(' ')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The copy has its name only when it is whole on disk. */
function copy(file: string, to: string): void {
  copyDatabase(file, `${to}.new`)
  moveInto(`${to}.new`, to)
}

async function run(): Promise<string> {
  const [work, half, path = ''] = process.argv.slice(2)
  if (half !== 'portal' && half !== 'service') throw new Error('The half is portal or service.')
  const settings = getSettings()
  const refusal = refusePostgresql(settings)
  if (refusal !== null) throw new Error(refusal)
  const { portalDatabase, serviceDatabase } = settings
  const file = half === 'portal' ? portalDatabase : serviceDatabase
  if (work === 'try') return tryMigrations(half, file)
  if (work === 'describe') return (describeLosses(half, file, path) ?? ['what cannot be counted']).join(', ')
  if (work === 'restore') return (await putBack(half, file, path)).note
  if (work === 'copy') copy(file, path)
  return ''
}

try {
  process.stdout.write(await run())
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
