/** A database is brought up to date with a copy kept, and one of a newer program is left alone. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { claimDatabase, findClaimant } from '@/lib/database/claim'
import { prepareDatabase } from '@/lib/database/prepare'
import { runSql } from '../support/sqlite-file'

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

test('a database with migrations still to come is copied before they are applied', async () => {
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

test('a database made by a newer program is refused and left as it is', async () => {
  using place = folder()
  await prepareDatabase({ file: place.file, schema: 'portal' })
  runSql(
    place.file,
    `INSERT INTO "_prisma_migrations" (id, checksum, finished_at, migration_name) VALUES ('x', 'y', current_timestamp, '29990101000000_later')`,
  )
  const before = readFileSync(place.file)
  await expect(prepareDatabase({ file: place.file, schema: 'portal' })).rejects.toThrow(/newer Gatehouse \(it knows 29990101000000_later\)/)
  expect(readFileSync(place.file).equals(before)).toBe(true)
})

test('a file that is no database is refused with one line', async () => {
  using place = folder()
  mkdirSync(place.dir)
  writeFileSync(place.file, 'this is a letter, not a database, and long enough to be looked at as one'.repeat(40))
  await expect(prepareDatabase({ file: place.file, schema: 'portal' })).rejects.toThrow(/cannot be read/)
})

test('a database is claimed by one process until it exits or lets go, and by the same one as often as it likes', () => {
  using place = folder()
  expect(findClaimant(place.file)).toBeNull()
  const release = claimDatabase(place.file)
  expect(findClaimant(place.file)).toBe(process.pid)
  claimDatabase(place.file)()
  expect(findClaimant(place.file)).toBe(process.pid)
  release()
  expect(findClaimant(place.file)).toBeNull()
})

/** Claims the database and says so; then it can be killed. */
const holdsClaim = (file: string) =>
  `import { claimDatabase } from './lib/database/claim.ts'; claimDatabase(${JSON.stringify(file)}); setInterval(() => {}, 1000); console.log('held')`

// A process namespace takes root.
const wrappers = process.getuid?.() === 0 ? [[], ['unshare', '--pid', '--fork', '--kill-child']] : [[]]

test.each(wrappers)('a claim is seen across processes and ends with its process%s', async (...wrapper) => {
  using place = folder()
  mkdirSync(place.dir)
  const [program = process.execPath, ...rest] = [...wrapper, process.execPath]
  const child = spawn(program, [...rest, '--import', 'tsx', '--input-type=module', '-e', holdsClaim(place.file)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    await once(child.stdout, 'data')
    // In a process namespace its number is another there than here, and may be that of somebody else here.
    expect(findClaimant(place.file)).toEqual(expect.any(Number))
    expect(() => claimDatabase(place.file)).toThrow(/^Process \d+ is already running on .*Stop it first\.$/)
  } finally {
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  await expect.poll(() => findClaimant(place.file)).toBeNull()
  claimDatabase(place.file)()
})

const rounds = 24

/** Claims one database after the other, each at the moment agreed on, tells which ones it got, and keeps them. */
const claimant = `
  import { claimDatabase } from './lib/database/claim.ts'
  process.setMaxListeners(0)
  const got = []
  process.once('message', ({ begins, dir }) => {
    for (let round = 0; round < ${rounds}; round++) {
      while (Date.now() < begins + round * 250);
      try { claimDatabase(dir + '/' + round); got.push(round) } catch (error) { if (error.constructor.name !== 'ClaimError') throw error }
    }
    process.send(got)
  })
  setInterval(() => {}, 1000)
  process.send('ready')`

test('of two processes that claim a database at the same moment one gets it', async () => {
  using place = folder()
  mkdirSync(place.dir, { recursive: true })
  const args = ['--import', 'tsx', '--input-type=module', '-e', claimant]
  const children = [1, 2].map(() => spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] }))
  try {
    await Promise.all(children.map((child) => once(child, 'message')))
    const answers = Promise.all(children.map((child) => once(child, 'message')))
    for (const child of children) child.send({ begins: Date.now() + 100, dir: place.dir })
    const got = (await answers).flatMap(([given]) => given as number[])
    expect(got.sort((a, b) => a - b)).toEqual(Array.from({ length: rounds }, (_, round) => round))
  } finally {
    for (const child of children) child.kill('SIGKILL')
  }
})
