/** A backup is whole and apart from its keys, or it is refused; a restore never replaces data. */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { backUp } from '@/lib/backup/backup'
import { restore } from '@/lib/backup/restore'
import { createKek } from '@/lib/sealing/kek'
import { createKeyFile, readKeyFile } from '@/lib/sealing/key-file'
import { parseSettings, type Settings } from '@/lib/settings/settings'
import { openSqliteFile, runSql } from '../support/sqlite-file'

type Made = Disposable & {
  settings: Settings
  dir: string
  to: { databases: string; keys: string }
  execute(sql: string): unknown
}

/** Two databases with a table each, open and being written to, and the key files. */
function makeGatehouse(): Made {
  const dir = mkdtempSync(join(tmpdir(), 'gatehouse-backup-'))
  const settings = parseSettings({}, join(dir, 'gatehouse'))
  for (const file of [settings.portalDatabase, settings.serviceDatabase]) mkdirSync(dirname(file), { recursive: true })
  const [portal, service] = [settings.portalDatabase, settings.serviceDatabase].map(openSqliteFile)
  if (!portal || !service) throw new Error('no databases')
  for (const file of [portal, service]) {
    for (const sql of ['PRAGMA journal_mode = WAL', 'CREATE TABLE t (n INTEGER)', 'INSERT INTO t VALUES (1)']) file.run(sql)
  }
  for (const file of [settings.portalKekFile, settings.sessionSecretFile, settings.serviceKekFile]) createKeyFile(file).fill(0)
  return {
    settings,
    dir,
    to: { databases: join(dir, 'copy'), keys: join(dir, 'copy-keys') },
    execute: portal.run,
    [Symbol.dispose]: () => {
      portal[Symbol.dispose]()
      service[Symbol.dispose]()
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

const elsewhere = (dir: string) => parseSettings({}, join(dir, 'elsewhere'))

const readTable = (file: string): unknown[] => runSql(file, 'SELECT n FROM t ORDER BY n').map(({ n }) => n)

test('while it is written to, both databases are copied whole; keys lie in a folder of their own; modes are for the owner alone', async () => {
  using made = makeGatehouse()
  made.execute('INSERT INTO t VALUES (2)')
  const { names } = await backUp(made.settings, made.to)
  made.execute('INSERT INTO t VALUES (3)')
  expect(names).toEqual(['portal.db', 'service.db', 'portal-kek.key', 'portal-session.key', 'service-kek.key'])
  expect(readdirSync(made.to.databases).sort()).toEqual(['manifest.json', 'portal.db', 'service.db'])
  expect(readdirSync(made.to.keys).filter((name) => !name.endsWith('.key'))).toEqual(['manifest.json'])
  const mode = (path: string) => statSync(path).mode & 0o777
  expect([mode(made.to.databases), mode(made.to.keys), mode(join(made.to.keys, 'portal-kek.key'))]).toEqual([0o700, 0o700, 0o400])
  expect(mode(join(made.to.databases, 'portal.db'))).toBe(0o600)

  const settings = elsewhere(made.dir)
  await restore(settings, made.to)
  expect(readTable(settings.portalDatabase)).toEqual([1, 2])
  expect(readTable(settings.serviceDatabase)).toEqual([1])
  expect(readFileSync(settings.serviceKekFile, 'utf8')).toBe(readFileSync(made.settings.serviceKekFile, 'utf8'))
  expect([mode(settings.portalKekFile), mode(dirname(settings.portalKekFile)), mode(settings.portalDatabase)]).toEqual([
    0o400, 0o700, 0o600,
  ])
})

test('nothing is ever written over: neither by a backup nor by a restore', async () => {
  using made = makeGatehouse()
  await backUp(made.settings, made.to)
  await expect(backUp(made.settings, made.to)).rejects.toThrow(/is not empty/)
  await expect(restore(made.settings, made.to)).rejects.toThrow(/is not empty.*never replaces data/)
  expect(readTable(made.settings.portalDatabase)).toEqual([1])
})

test('a damaged, unfinished or mixed backup is refused before anything is put in place', async () => {
  using made = makeGatehouse()
  await backUp(made.settings, made.to)
  const settings = elsewhere(made.dir)
  const refusal = async (from: { databases: string; keys: string }, why: RegExp) => {
    await expect(restore(settings, from)).rejects.toThrow(why)
    expect(existsSync(settings.dataDir)).toBe(false)
  }
  const later = { databases: join(made.dir, 'later'), keys: join(made.dir, 'later-keys') }
  await backUp(made.settings, later)
  await refusal({ databases: made.to.databases, keys: later.keys }, /two different backups/)
  const database = join(made.to.databases, 'portal.db')
  const bytes = readFileSync(database)
  writeFileSync(database, Buffer.concat([bytes.subarray(0, -1), Buffer.from([bytes.at(-1) === 7 ? 8 : 7])]))
  await refusal(made.to, /checksum does not match/)
  rmSync(database)
  await refusal(made.to, /missing/)
  rmSync(join(later.databases, 'manifest.json'))
  await refusal(later, /not a complete backup/)
})

test('a half that stands alone is backed up alone, and nothing at all is said to be nothing', async () => {
  using made = makeGatehouse()
  rmSync(dirname(made.settings.portalDatabase), { recursive: true })
  chmodSync(dirname(made.settings.portalKekFile), 0o700)
  rmSync(dirname(made.settings.portalKekFile), { recursive: true })
  expect(await backUp(made.settings, made.to)).toEqual({ names: ['service.db', 'service-kek.key'], missing: [] })
  const nowhere = { databases: join(made.dir, 'x'), keys: join(made.dir, 'y') }
  await expect(backUp(elsewhere(made.dir), nowhere)).rejects.toThrow(/nothing to back up.*GATEHOUSE_DATA/)
})

const oldFiles = ['portalOldKekFile', 'serviceOldKekFile'] as const

test('a restore that fails halfway leaves nothing, and works once what was in its way is gone', async () => {
  using made = makeGatehouse()
  await backUp(made.settings, made.to)
  const settings = elsewhere(made.dir)
  mkdirSync(dirname(settings.keysDir), { recursive: true })
  writeFileSync(settings.keysDir, 'a file in place of the folder')
  await expect(restore(settings, made.to)).rejects.toThrow(
    /^The restore could not be finished: ENOTDIR.*\. Nothing of it is left, so it can be tried again\.$/,
  )
  for (const file of [settings.portalDatabase, settings.serviceDatabase]) expect([file, existsSync(file)]).toEqual([file, false])
  rmSync(settings.keysDir)
  await restore(settings, made.to)
  expect(readTable(settings.serviceDatabase)).toEqual([1])
})

test('between a rotation and its end both keys of each half are backed up and restored', async () => {
  using made = makeGatehouse()
  for (const name of oldFiles) createKeyFile(made.settings[name]).fill(0)
  await backUp(made.settings, made.to)
  const settings = elsewhere(made.dir)
  expect(await restore(settings, made.to)).toEqual(expect.arrayContaining(['portal-kek.old.key', 'service-kek.old.key']))
  for (const name of ['portalKekFile', 'serviceKekFile', ...oldFiles] as const) {
    expect(readFileSync(settings[name], 'utf8')).toBe(readFileSync(made.settings[name], 'utf8'))
    expect(statSync(settings[name]).mode & 0o777).toBe(0o400)
  }
})

const idOf = (file: string) => createKek(readKeyFile(file)).id

test('a backup names the master keys that its databases need and those that it holds, and which ones are missing', async () => {
  using made = makeGatehouse()
  const { settings, to } = made
  createKeyFile(settings.serviceOldKekFile).fill(0)
  const [portal, service, old] = [settings.portalKekFile, settings.serviceKekFile, settings.serviceOldKekFile].map(idOf)
  runSql(settings.portalDatabase, 'CREATE TABLE KeyRing (id TEXT, state TEXT)')
  runSql(settings.portalDatabase, "INSERT INTO KeyRing VALUES ('elsewhere', 'active'), ('gone', 'retired'), ('next', 'pending')")
  // As earlier versions have it.
  runSql(settings.serviceDatabase, 'CREATE TABLE KeyCanary (kekId TEXT)')
  for (const id of [service, old]) runSql(settings.serviceDatabase, 'INSERT INTO KeyCanary VALUES (?)', [id ?? ''])

  expect((await backUp(settings, to)).missing).toEqual([{ database: 'portal.db', id: 'elsewhere' }])
  const keysOf = (folder: string) => JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')).masterKeys
  expect(keysOf(to.databases)).toEqual({ 'portal.db': ['elsewhere'], 'service.db': [service, old] })
  expect(keysOf(to.keys)).toEqual({ 'portal-kek.key': [portal], 'service-kek.key': [service], 'service-kek.old.key': [old] })
})

test('the heads of the audit log are backed up and restored with the databases', async () => {
  using made = await makeGatehouse()
  writeFileSync(made.settings.portalAuditHeads, 'a line\n', { mode: 0o600 })
  expect((await backUp(made.settings, made.to)).names[0]).toBe('portal-audit-heads')
  const settings = elsewhere(made.dir)
  await restore(settings, made.to)
  expect(readFileSync(settings.portalAuditHeads, 'utf8')).toBe('a line\n')
  expect(statSync(settings.portalAuditHeads).mode & 0o777).toBe(0o600)
})

test('a backup that cannot be finished leaves nothing behind and says why', async () => {
  using made = makeGatehouse()
  // A key that cannot be copied breaks it off after the databases.
  rmSync(made.settings.serviceKekFile)
  mkdirSync(made.settings.serviceKekFile)
  await expect(backUp(made.settings, made.to)).rejects.toThrow(/^The backup could not be finished: .*\. Nothing was saved\.$/)
  expect([readdirSync(made.to.databases), readdirSync(made.to.keys)]).toEqual([[], []])
})

test('an empty database is not backed up as if it were one', async () => {
  using made = makeGatehouse()
  rmSync(made.settings.serviceDatabase)
  writeFileSync(made.settings.serviceDatabase, '')
  await expect(backUp(made.settings, made.to)).rejects.toThrow(/service\.db is empty/)
  expect(existsSync(made.to.databases)).toBe(false)
})
