/** What an upgrade does with one database: `try`, `copy TO`, `restore FROM`, `describe COPY`. A program of its own: the new release tries its own migrations, and the half's user runs it. */
import { mkdirSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { copyDatabase } from '@/lib/database/copy'
import { copyPlace } from '@/lib/database/copy-place'
import { requireRoom } from '@/lib/database/dump-room'
import { type DatabasePlace, portalPlace, servicePlace } from '@/lib/database/place'
import { tryOnPostgresql } from '@/lib/database/postgresql-prepare'
import { prepareDatabase } from '@/lib/database/prepare'
import { moveInto } from '@/lib/database/replace'
import { describeDumpedLosses } from '@/lib/rollback/dumped'
import { describeLosses, type Half } from '@/lib/rollback/losses'
import { putBack, putDumpBack } from '@/lib/rollback/put-back'
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
async function copy(place: DatabasePlace, to: string): Promise<void> {
  mkdirSync(dirname(to), { recursive: true, mode: 0o700 })
  await copyPlace(place, `${to}.new`)
  moveInto(`${to}.new`, to)
}

const describe = async (half: Half, place: DatabasePlace, copy: string): Promise<string[] | null> =>
  typeof place === 'string' ? describeLosses(half, place, copy) : describeDumpedLosses(half, place, copy)

/** The replaced database is kept, also if it is on PostgreSQL. */
async function restore(half: Half, place: DatabasePlace, copy: string): Promise<string> {
  if (typeof place === 'string') return (await putBack(half, place, copy)).note
  const stamp = new Date().toISOString().replace(/\D/g, '').slice(0, 14)
  return (await putDumpBack(half, place, copy, join(dirname(copy), `${half}.pgdump.rolled-back-${stamp}`))).note
}

async function run(): Promise<string> {
  const [work, half, path = ''] = process.argv.slice(2)
  if (half !== 'portal' && half !== 'service') throw new Error('The half is portal or service.')
  const settings = getSettings()
  const place = half === 'portal' ? portalPlace(settings) : servicePlace(settings)
  if (work === 'try') {
    if (typeof place === 'string') return tryMigrations(half, place)
    // The copy is made once the portal has stopped; now there is time to make room.
    const folder = dirname(half === 'portal' ? settings.portalDatabase : settings.serviceDatabase)
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    await requireRoom(place, folder)
    return (await tryOnPostgresql({ address: place, schema: half })).join(' ')
  }
  if (work === 'describe') return ((await describe(half, place, path)) ?? ['what cannot be counted']).join(', ')
  if (work === 'restore') return restore(half, place, path)
  if (work === 'copy') await copy(place, path)
  return ''
}

try {
  process.stdout.write(await run())
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
