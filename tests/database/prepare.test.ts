/** A database is brought up to date with a copy kept, and one of a newer program is left alone. */
import { spawn } from 'node:child_process'
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { findClaimant } from '@/lib/database/claim'
import { isBusy, openConnection } from '@/lib/database/connection'
import { copyDatabase } from '@/lib/database/copy'
import { prepareDatabase } from '@/lib/database/prepare'
import { listSafetyCopies } from '@/lib/database/safety-copies'
import { listMigrations } from '@/lib/database/schema-engine'
import { holdClaim } from '../support/claim-holder'
import { forgetMigration } from '../support/older-database'
import { openSqliteFile, runSql } from '../support/sqlite-file'

function folder(): Disposable & { file: string; dir: string } {
  const dir = mkdtempSync(join(tmpdir(), 'gatehouse-database-'))
  return {
    dir: join(dir, 'portal'),
    file: join(dir, 'portal', 'portal.db'),
    [Symbol.dispose]: () => rmSync(dir, { recursive: true, force: true }),
  }
}

test('a new database has every table and belongs to its owner alone', async () => {
  using place = folder()
  await prepareDatabase({ file: place.file, schema: 'portal' })
  expect(runSql(place.file, 'SELECT count(*) AS n FROM "AuditRow"')[0]?.n).toBe(0)
  expect(statSync(place.dir).mode & 0o777).toBe(0o700)
  expect(statSync(place.file).mode & 0o777).toBe(0o600)
})

test('preparing twice changes nothing and keeps no copy', async () => {
  using place = folder()
  await prepareDatabase({ file: place.file, schema: 'portal' })
  runSql(place.file, `INSERT INTO "Team" (id, name) VALUES ('t', 'Northwind')`)
  await prepareDatabase({ file: place.file, schema: 'portal' })
  expect(runSql(place.file, 'SELECT name FROM "Team"')[0]?.name).toBe('Northwind')
  expect(readdirSync(place.dir).filter((name) => name.includes('.before-'))).toEqual([])
})

test('a database with pending migrations is copied before they are applied', async () => {
  using place = folder()
  mkdirSync(place.dir)
  runSql(
    place.file,
    'CREATE TABLE "_prisma_migrations" ("id" TEXT PRIMARY KEY NOT NULL, "checksum" TEXT NOT NULL, "finished_at" DATETIME, "migration_name" TEXT NOT NULL, "logs" TEXT, "rolled_back_at" DATETIME, "started_at" DATETIME NOT NULL DEFAULT current_timestamp, "applied_steps_count" INTEGER UNSIGNED NOT NULL DEFAULT 0)',
  )
  await prepareDatabase({ file: place.file, schema: 'portal' })
  expect(readdirSync(place.dir).filter((name) => name.includes('.before-'))).toHaveLength(1)
  expect(runSql(place.file, 'SELECT count(*) AS n FROM "Team"')[0]?.n).toBe(0)
})

test('a database made by a newer version is refused and left unchanged', async () => {
  using place = folder()
  await prepareDatabase({ file: place.file, schema: 'portal' })
  runSql(
    place.file,
    `INSERT INTO "_prisma_migrations" (id, checksum, finished_at, migration_name) VALUES ('x', 'y', current_timestamp, '29990101000000_later')`,
  )
  const before = readFileSync(place.file)
  await expect(prepareDatabase({ file: place.file, schema: 'portal' })).rejects.toThrow(
    /newer Gatehouse \(migration 29990101000000_later\)/,
  )
  expect(readFileSync(place.file).equals(before)).toBe(true)
})

/** Makes a migration one that is still to come. */
const makeOlder = (file: string) => runSql(file, forgetMigration)

const migrationCount = listMigrations('portal').migrationDirectories.length

/** Prepares the database in a process apart, and gives how many migrations it applied. */
function prepareInProcess(file: string): Promise<number> {
  const program = `import { prepareDatabase } from './lib/database/prepare.ts'
    const { applied } = await prepareDatabase({ file: ${JSON.stringify(file)}, schema: 'portal' })
    process.exit(applied.length)`
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', program], {
      stdio: ['ignore', 'inherit', 'inherit'],
    })
    child.once('exit', (code) => resolve(code ?? -1))
  })
}

const filesIn = (dir: string) => readdirSync(dir).sort()

test('a failed upgrade leaves the database unchanged and no copy, however often it is tried; a later success leaves one copy', async () => {
  using place = folder()
  await prepareDatabase({ file: place.file, schema: 'portal' })
  runSql(place.file, `INSERT INTO "Team" (id, name) VALUES ('t', 'Northwind')`)
  // What the migration makes is there already, so it fails.
  runSql(place.file, "DELETE FROM _prisma_migrations WHERE migration_name LIKE '%_undo'")
  const before = filesIn(place.dir)
  for (const _ of [1, 2, 3]) {
    await expect(prepareDatabase({ file: place.file, schema: 'portal' })).rejects.toThrow(/could not be migrated.*is unchanged/)
    expect(filesIn(place.dir)).toEqual(before)
    expect(runSql(place.file, 'SELECT name FROM "Team"')).toEqual([{ name: 'Northwind' }])
  }
  runSql(place.file, 'DROP TABLE "Undo"')
  expect((await prepareDatabase({ file: place.file, schema: 'portal' })).applied).toEqual([expect.stringMatching(/_undo$/)])
  expect(listSafetyCopies(place.file)).toHaveLength(1)
  expect(runSql(place.file, 'SELECT name FROM "Team"')).toEqual([{ name: 'Northwind' }])
})

test('a database that another process uses is not migrated', async () => {
  using place = folder()
  await prepareDatabase({ file: place.file, schema: 'portal' })
  makeOlder(place.file)
  await using _ = await holdClaim(place.file)
  const before = readFileSync(place.file)
  await expect(prepareDatabase({ file: place.file, schema: 'portal' })).rejects.toThrow(/is already running on/)
  expect(readFileSync(place.file).equals(before)).toBe(true)
})

test('two simultaneous starts on a new or an older database both find it ready, and only one prepares it', async () => {
  using place = folder()
  const prepare = () => prepareInProcess(place.file)
  expect((await Promise.all([prepare(), prepare(), prepare()])).sort()).toEqual([0, 0, migrationCount])
  makeOlder(place.file)
  expect((await Promise.all([prepare(), prepare()])).sort()).toEqual([0, 1])
  expect(listSafetyCopies(place.file)).toHaveLength(1)
}, 60_000)

test('a database that a shell has open, for writing or reading, is not replaced, and the shell keeps working', async () => {
  using place = folder()
  await prepareDatabase({ file: place.file, schema: 'portal' })
  makeOlder(place.file)
  for (const sql of ['SELECT name FROM "Team"', `INSERT INTO "Team" (id, name) VALUES ('t', 'Northwind')`]) {
    using shell = openSqliteFile(place.file)
    shell.run(sql)
    await expect(prepareDatabase({ file: place.file, schema: 'portal' })).rejects.toThrow(/another program has it open.*is unchanged/)
    expect(listSafetyCopies(place.file)).toEqual([])
    shell.run(`INSERT INTO "Team" (id, name) VALUES ('${sql.length}', 'Later')`)
  }
  expect((await prepareDatabase({ file: place.file, schema: 'portal' })).applied).toHaveLength(1)
  expect(runSql(place.file, 'SELECT name FROM "Team" ORDER BY name')).toEqual([{ name: 'Later' }, { name: 'Later' }, { name: 'Northwind' }])
}, 60_000)

test('a process that only reads the database for a moment, as another start does, does not stop its migration', async () => {
  using place = folder()
  await prepareDatabase({ file: place.file, schema: 'portal' })
  makeOlder(place.file)
  using reader = openSqliteFile(place.file)
  reader.run('SELECT name FROM "Team"')
  const migrating = prepareDatabase({ file: place.file, schema: 'portal' })
  setTimeout(() => reader[Symbol.dispose](), 300)
  expect((await migrating).applied).toHaveLength(1)
})

test('what a command writes during a migration is refused or kept, never lost', async () => {
  using place = folder()
  await prepareDatabase({ file: place.file, schema: 'portal' })
  makeOlder(place.file)
  let [done, written] = [false, 0]
  const migrating = prepareDatabase({ file: place.file, schema: 'portal' }).finally(() => {
    done = true
  })
  for (let count = 0; !done; count += 1) {
    try {
      const connection = openConnection(place.file)
      try {
        connection.execute('INSERT INTO "Team" (id, name) VALUES (?, ?)', [`t${count}`, 'x'])
        written += 1
      } finally {
        connection.close()
      }
    } catch (error) {
      if (!isBusy(error)) throw error
    }
    await delay(1)
  }
  await migrating.catch(() => {})
  expect(runSql(place.file, 'SELECT count(*) AS n FROM "Team"')).toEqual([{ n: written }])
})

test('leftovers of a killed migration do not affect the next one, and its copies do not accumulate', async () => {
  using place = folder()
  await prepareDatabase({ file: place.file, schema: 'portal' })
  for (let number = 0; number < 200; number += 1) runSql(place.file, `INSERT INTO "Team" (id, name) VALUES ('${number}', 'yesterday')`)
  // A migration that was killed: half of its changes on the copy, and the journal that would take them back.
  copyDatabase(place.file, `${place.file}.migrating`)
  const killed = openConnection(`${place.file}.migrating`)
  killed.script('PRAGMA journal_mode = DELETE; PRAGMA cache_size = 1; BEGIN')
  killed.script(`UPDATE "Team" SET name = 'migrated'`)
  const [copy, journal] = ['', '-journal'].map((suffix) => readFileSync(`${place.file}.migrating${suffix}`))
  killed.close()
  writeFileSync(`${place.file}.migrating`, copy ?? '')
  writeFileSync(`${place.file}.migrating-journal`, journal ?? '')
  writeFileSync(`${place.file}.keeping`, 'half a copy')
  expect(journal?.length).toBeGreaterThan(512)
  runSql(place.file, `UPDATE "Team" SET name = 'todayxxxx'`)
  makeOlder(place.file)
  await prepareDatabase({ file: place.file, schema: 'portal' })
  expect(runSql(place.file, 'SELECT DISTINCT name FROM "Team"')).toEqual([{ name: 'todayxxxx' }])
  expect(listSafetyCopies(place.file)).toHaveLength(1)
  expect(filesIn(place.dir).filter((name) => /migrating|keeping/.test(name))).toEqual([])
})

test('if parts or copies of a database exist, no new database is created in its place', async () => {
  using place = folder()
  await prepareDatabase({ file: place.file, schema: 'portal' })
  rmSync(place.file)
  writeFileSync(`${place.file}-wal`, 'the newest changes')
  await expect(prepareDatabase({ file: place.file, schema: 'portal' })).rejects.toThrow(
    /There is no .*portal\.db, but .*portal\.db-wal exists/,
  )
  rmSync(`${place.file}-wal`)
  writeFileSync(`${place.file}.before-20261122140000`, 'a copy')
  await expect(prepareDatabase({ file: place.file, schema: 'portal' })).rejects.toThrow(/before-20261122140000 exists/)
})

test('a database behind a symbolic link is claimed and migrated at its target', async () => {
  using place = folder()
  await prepareDatabase({ file: place.file, schema: 'portal' })
  const link = join(place.dir, 'link.db')
  symlinkSync(place.file, link)
  makeOlder(place.file)
  await prepareDatabase({ file: link, schema: 'portal' })
  expect(lstatSync(link).isSymbolicLink()).toBe(true)
  await using _ = await holdClaim(link)
  expect(findClaimant(place.file)).toEqual(expect.any(Number))
})

test('an empty file in place of the database is refused, and an interrupted first start is repeated', async () => {
  using place = folder()
  mkdirSync(place.dir)
  writeFileSync(place.file, '')
  await expect(prepareDatabase({ file: place.file, schema: 'portal' })).rejects.toThrow(/is empty.*Restore a copy/)
  expect(statSync(place.file).size).toBe(0)
  rmSync(place.file)
  writeFileSync(`${place.file}.new`, 'the beginning of a database')
  await prepareDatabase({ file: place.file, schema: 'portal' })
  expect(runSql(place.file, 'SELECT count(*) AS n FROM "Team"')).toEqual([{ n: 0 }])
})

test('a file that is not a database is refused with one line', async () => {
  using place = folder()
  mkdirSync(place.dir)
  writeFileSync(place.file, 'this is a letter, not a database, and long enough to be looked at as one'.repeat(40))
  await expect(prepareDatabase({ file: place.file, schema: 'portal' })).rejects.toThrow(/cannot be read/)
})
