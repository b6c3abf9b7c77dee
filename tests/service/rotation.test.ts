/** Rotating the service's master key: nothing is lost, whatever fails and whoever writes meanwhile. */
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { expect, test } from 'vitest'
import { SealBroken } from '@/lib/sealing/envelope'
import { createKek } from '@/lib/sealing/kek'
import { createKeyFile, readKeyFile } from '@/lib/sealing/key-file'
import { ensureAccount } from '@/lib/service/store/accounts'
import { openMachineKey, rekeyMachine } from '@/lib/service/store/machines'
import { findOldKey, retireKey, rotateKeys, verifyKeys } from '@/lib/service/store/rotation'
import { sealedTables } from '@/lib/service/store/sealed-tables'
import type { DiskFault } from '../support/faulty-database'
import { addServer, makeSealedRows, readSecrets, type SealedRows } from './support/sealed-rows'

const idOf = (file: string) => createKek(readKeyFile(file)).id
const statesOf = async ({ db }: SealedRows) => (await db.keyCanary.findMany()).map(({ state }) => state).sort()

test('security 7: after a rotation of the service’s key every secret is under the new one, its ciphertext is unchanged, and the old key is needed no more once retired', async () => {
  await using rows = await makeSealedRows(102)
  const { db, files } = rows
  const before = await db.machine.findMany({ orderBy: { id: 'asc' } })
  const secrets = await readSecrets(await rows.open())
  expect(secrets).toContain('key of server0')
  expect(secrets.at(-1)).toContain('the password')
  const first = idOf(files.current)

  const found = await rotateKeys(db, files)
  const next = idOf(files.current)
  expect([next === first, idOf(files.old)]).toEqual([false, first])
  expect(found).toEqual({ kekId: next, opened: 103, under: { [next]: 103 }, old: 0, broken: [] })
  const after = await db.machine.findMany({ orderBy: { id: 'asc' } })
  after.forEach(({ sealedKey }, index) => {
    expect(sealedKey?.subarray(70)).toEqual(before[index]?.sealedKey?.subarray(70))
  })
  expect(await findOldKey(db)).toMatchObject({ id: first })

  await retireKey(db, first)
  rmSync(files.old)
  expect(await readSecrets(await rows.open())).toEqual(secrets)
  expect(await statesOf(rows)).toEqual(['active', 'retired'])
  expect(await findOldKey(db)).toBeNull()
  expect((await rotateKeys(db, files)).kekId).not.toBe(next)
})

/** Rotates again and again, each time with the next statement failing, until one comes through. Returns how many failed. */
async function rotateThroughFaults(fault: DiskFault, once: boolean): Promise<number> {
  for (let statement = 1; ; statement += 1) {
    await using rows = await makeSealedRows()
    const secrets = await readSecrets(await rows.open())
    rows.disk.failAt(statement, fault, { once })
    const came = await rotateKeys(rows.faulty, rows.files).then(
      () => true,
      () => false,
    )
    const reached = rows.disk.count() >= statement
    rows.disk.heal()
    // A start opens everything, and so does the next rotation, after which nothing is under an old key.
    expect(await readSecrets(await rows.open())).toEqual(secrets)
    expect(await rotateKeys(rows.db, rows.files)).toMatchObject({ opened: 3, old: 0, broken: [] })
    expect(await statesOf(rows)).toEqual(['active', 'decryptOnly'])
    expect(await readSecrets(await rows.open())).toEqual(secrets)
    expect(existsSync(`${rows.files.current}.new`)).toBe(false)
    if (!reached) {
      expect(came).toBe(true)
      return statement - 1
    }
  }
}

test.each([
  ['FULL', false],
  ['IOERR', true],
] as const)(
  'security 7: a rotation of the service’s key whose database fails at any statement (%s) is finished by the next one',
  async (fault, once) => {
    expect(await rotateThroughFaults(fault, once)).toBeGreaterThan(12)
  },
)

test('security 8: a service that runs during a rotation reads what was moved, and saves under the new key', async () => {
  await using rows = await makeSealedRows()
  const { db, files } = rows
  const running = await rows.open()
  const secrets = await readSecrets(running)
  const { kekId } = await rotateKeys(db, files)
  expect(await readSecrets(running)).toEqual(secrets)
  const { id: accountId } = await ensureAccount(db, 'default')
  await addServer(running, accountId, 'later')
  expect(await verifyKeys(db, files.current)).toMatchObject({ under: { [kekId]: 4 }, old: 0, broken: [] })
})

test('security 8: a value that was replaced since it was read is not replaced by its predecessor', async () => {
  await using rows = await makeSealedRows()
  const { db, files } = rows
  const running = await rows.open()
  const read = await Promise.all(sealedTables(db).map((table) => table.list({ after: '', limit: 100 })))
  const [first, , password] = read.flat()
  await rekeyMachine(running, await db.machine.findUniqueOrThrow({ where: { id: 'server0' } }), 'another key')
  await db.run.updateMany({ data: { result: '{"success":true}' } })
  const { kekId } = await rotateKeys(db, files)
  for (const row of [first, password]) expect(await row?.replace(Uint8Array.from(row.blob), kekId)).toBe(false)
  expect(openMachineKey(running, await db.machine.findUniqueOrThrow({ where: { id: 'server0' } }))).toBe('another key')
  expect(await db.run.findFirst()).toMatchObject({ result: '{"success":true}' })
})

test('security 8: of two rotations of the service’s key at the same moment none loses a value', async () => {
  await using rows = await makeSealedRows(12)
  const secrets = await readSecrets(await rows.open())
  await Promise.allSettled([rotateKeys(rows.db, rows.files), rotateKeys(rows.faulty, rows.files)])
  expect(await statesOf(rows)).toEqual(['active', 'decryptOnly'])
  expect(await readSecrets(await rows.open())).toEqual(secrets)
})

test('security 10: values of the service that cannot be decrypted are named with their key, and the others still move', async () => {
  await using rows = await makeSealedRows(3)
  const { db, files } = rows
  const row = await db.machine.findUniqueOrThrow({ where: { id: 'server1' } })
  const foreign = Uint8Array.from(row.sealedKey ?? [], (byte, index) => (index >= 2 && index < 10 ? 0xaa : byte))
  await db.machine.update({ where: { id: 'server1' }, data: { sealedKey: foreign } })
  await db.machine.update({ where: { id: 'server2' }, data: { sealedKey: Buffer.from('no value') } })
  const run = await db.run.findFirstOrThrow()
  await db.run.update({ where: { id: run.id }, data: { result: '{"user":"admin","sealed":"no value"}' } })
  const { kekId, ...found } = await rotateKeys(db, files)
  expect(found).toEqual({
    opened: 1,
    under: { [kekId]: 1 },
    old: 0,
    broken: [
      { table: 'The SSH key of server', id: 'server1', kekId: 'aaaaaaaaaaaaaaaa' },
      { table: 'The SSH key of server', id: 'server2', kekId: null },
      { table: 'The password of job', id: run.id, kekId: null },
    ],
  })
  expect((await db.machine.findUniqueOrThrow({ where: { id: 'server1' } })).sealedKey).toEqual(foreign)
})

test('until the old key is retired a start needs both files; a retired key does not come back, and its file has to go before the next rotation', async () => {
  await using rows = await makeSealedRows()
  const { db, files } = rows
  const first = idOf(files.current)
  await rotateKeys(db, files)
  const away = `${files.old}.away`
  renameSync(files.old, away)
  await expect(rows.open()).rejects.toThrow(`which needs the key ${first}`)
  renameSync(away, files.old)
  await retireKey(db, first)
  await expect(rotateKeys(db, files)).rejects.toThrow('Move it away first')
  renameSync(files.current, away)
  renameSync(files.old, files.current)
  await expect(rows.open()).rejects.toThrow(`The key file ${files.current} is not the key of this service's database`)
  renameSync(away, `${files.current.slice(0, -4)}.other.key`)
  await expect(rotateKeys(db, files)).rejects.toThrow(`holds the key ${first}, which was in use before`)
})

test('a service whose key file was replaced by a foreign one saves nothing under it', async () => {
  await using rows = await makeSealedRows()
  const running = await rows.open()
  await rotateKeys(rows.db, rows.files)
  rmSync(rows.files.current)
  createKeyFile(rows.files.current).fill(0)
  await expect(addServer(running, (await ensureAccount(rows.db, 'default')).id, 'later')).rejects.toThrow('which encrypts new values')
  const [moved] = await rows.db.machine.findMany()
  expect(() => moved && openMachineKey(running, moved)).toThrow(SealBroken)
  expect(readFileSync(rows.files.old, 'utf8').length).toBe(45)
})
