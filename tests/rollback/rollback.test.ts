/** Going back to the copy from before an upgrade: what is lost is said, what is wrong is refused, and nothing of the other database stays in the way. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { copyDatabase } from '@/lib/database/copy'
import { prepareDatabase } from '@/lib/database/prepare'
import { safetyCopyName } from '@/lib/database/safety-copies'
import { describeLosses, readLastEntry } from '@/lib/rollback/losses'
import { restoreCopy } from '@/lib/rollback/rollback'
import { holdClaim } from '../support/claim-holder'
import { openSqliteFile, runSql } from '../support/sqlite-file'

/** A database of one team with a copy beside it, then a second team. */
async function makeUpgraded() {
  const dir = mkdtempSync(join(tmpdir(), 'gatehouse-rollback-'))
  const file = join(dir, 'portal.db')
  await prepareDatabase({ file, schema: 'portal' })
  runSql(file, `INSERT INTO "Team" (id, name) VALUES ('one', 'Before')`)
  const copy = safetyCopyName(file)
  copyDatabase(file, copy)
  runSql(file, `INSERT INTO "Team" (id, name) VALUES ('two', 'Since')`)
  runSql(file, `INSERT INTO "User" (id, email, name, passwordHash) VALUES ('u', 'mira@northwind.test', 'Mira', 'x')`)
  return { dir, file, copy, [Symbol.dispose]: () => rmSync(dir, { recursive: true, force: true }) }
}

const teams = (file: string) => runSql(file, 'SELECT id FROM "Team" ORDER BY id').map(({ id }) => id)

test('the copy replaces the database, which is kept complete under another name', async () => {
  using made = await makeUpgraded()
  expect(describeLosses('portal', made.file, made.copy)).toEqual(['1 user'])
  const { kept } = restoreCopy('portal', made.file, made.copy)
  expect([teams(made.file), teams(kept), teams(made.copy)]).toEqual([['one'], ['one', 'two'], ['one']])
})

test('a log left by the other database does not get into the copy', async () => {
  using made = await makeUpgraded()
  // A process that was killed leaves its log; what the copy would read from it is another database's.
  using open = openSqliteFile(made.file)
  open.run(`INSERT INTO "Team" (id, name) VALUES ('three', 'In the log')`)
  const [database, log] = [readFileSync(made.file), readFileSync(`${made.file}-wal`)]
  open[Symbol.dispose]()
  writeFileSync(made.file, database)
  writeFileSync(`${made.file}-wal`, log)
  const { kept } = restoreCopy('portal', made.file, made.copy)
  expect(existsSync(`${made.file}-wal`)).toBe(false)
  expect([teams(made.file), teams(kept)]).toEqual([['one'], ['one', 'three', 'two']])
})

test('an unreadable present database does not prevent a rollback; what is lost is then unknown', async () => {
  using made = await makeUpgraded()
  writeFileSync(made.file, 'not a database any more '.repeat(1000))
  expect([describeLosses('portal', made.file, made.copy), readLastEntry(made.file)]).toEqual([null, null])
  restoreCopy('portal', made.file, made.copy)
  expect(teams(made.file)).toEqual(['one'])
})

test.each([
  ['is missing', (copy: string) => rmSync(copy), /does not exist/],
  ['is empty', (copy: string) => truncateSync(copy, 0), /not a database of the portal/],
  ['was cut off', (copy: string) => truncateSync(copy, 20_000), /malformed|is damaged/],
  ['is another program’s', (copy: string) => void [rmSync(copy), runSql(copy, 'CREATE TABLE t (n)')], /not a database of the portal/],
])('a copy that %s is refused, and the database stays', async (_, damage, sentence) => {
  using made = await makeUpgraded()
  damage(made.copy)
  const before = readdirSync(made.dir)
  expect(() => restoreCopy('portal', made.file, made.copy)).toThrow(sentence)
  expect(readdirSync(made.dir)).toEqual(before)
  expect(teams(made.file)).toEqual(['one', 'two'])
})

test('the copy of the other half, and the present database, are refused', async () => {
  using made = await makeUpgraded()
  expect(() => restoreCopy('service', made.file, made.copy)).toThrow(/not a database of the service\. Name another copy\.$/)
  expect(() => restoreCopy('portal', made.file, made.file)).toThrow(/is the current database/)
  expect(teams(made.file)).toEqual(['one', 'two'])
})

test('nothing is restored while a process has the database', async () => {
  using made = await makeUpgraded()
  await using _ = await holdClaim(made.file)
  expect(() => restoreCopy('portal', made.file, made.copy)).toThrow(/is already running on/)
  expect(teams(made.file)).toEqual(['one', 'two'])
})
