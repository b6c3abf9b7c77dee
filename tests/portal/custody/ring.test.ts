import { randomBytes } from 'node:crypto'
import { chmodSync, copyFileSync, rmSync, writeFileSync } from 'node:fs'
import { expect, test, vi } from 'vitest'
import { closeRing, openRing, openUnderRing, RingError, sealUnderRing } from '@/lib/portal/custody/ring'
import { createKek } from '@/lib/sealing/kek'
import { createKeyFile, KeyFileError, readKeyFile } from '@/lib/sealing/key-file'
import { openPortalDatabase } from '@/tests/support/portal-database'

async function refusal(act: () => Promise<unknown>): Promise<string> {
  try {
    await act()
  } catch (error) {
    if (error instanceof KeyFileError) return error.message
    throw error
  }
  throw new Error('The ring opened.')
}

function replaceKey(path: string, text: string, mode = 0o400): void {
  rmSync(path, { force: true })
  writeFileSync(path, text)
  chmodSync(path, mode)
  closeRing()
}

test('the first start enters the key file into the ring; later starts find it there', async () => {
  await using portal = await openPortalDatabase({ ring: false })
  await openRing()
  const [row, ...others] = await portal.db.keyEncryptionKey.findMany()
  expect(others).toEqual([])
  expect(row).toMatchObject({ state: 'active', provider: 'file', wraps: 0, id: createKek(readKeyFile(portal.settings.portalKekFile)).id })
  closeRing()
  await openRing()
  expect(await portal.db.keyEncryptionKey.findMany()).toEqual([row])
})

test('many simultaneous starts enter one key', async () => {
  await using portal = await openPortalDatabase({ ring: false })
  await Promise.all(Array.from({ length: 8 }, () => openRing()))
  expect(await portal.db.keyEncryptionKey.count()).toBe(1)
})

test('a start that finds the key of a simultaneous start uses it', async () => {
  await using portal = await openPortalDatabase({ ring: false })
  const { keyEncryptionKey } = portal.db
  const findMany = keyEncryptionKey.findMany.bind(keyEncryptionKey)
  const reading = vi.spyOn(keyEncryptionKey, 'findMany').mockImplementationOnce((async () => {
    const empty = await findMany()
    await openRing()
    return empty
  }) as unknown as typeof findMany)
  await openRing()
  expect(reading.mock.calls.length).toBeGreaterThan(1)
  expect(await portal.db.keyEncryptionKey.count()).toBe(1)
})

test('a key from the environment works like one from a file', async () => {
  await using portal = await openPortalDatabase({ environment: { GATEHOUSE_KEK: randomBytes(32).toString('base64') } })
  const { sealed } = await sealUnderRing(Buffer.from('secret'), ['a'])
  expect((await openUnderRing(sealed, ['a'])).toString()).toBe('secret')
  expect(await portal.db.keyEncryptionKey.findFirst()).toMatchObject({ provider: 'env', wraps: 1 })
})

test('security 9: a weak key from the environment is refused without being printed', async () => {
  for (const key of [randomBytes(31), randomBytes(33), Buffer.alloc(32), Buffer.alloc(32, 7)]) {
    const text = key.toString('base64')
    await using _portal = await openPortalDatabase({ ring: false, environment: { GATEHOUSE_KEK: text } })
    const line = await refusal(openRing)
    expect(line).toMatch(/^GATEHOUSE_KEK .*\.$/)
    expect(line).not.toContain(text.slice(0, 12))
  }
})

test('security 9: if its key file is missing the ring does not open, and no other key is created', async () => {
  await using portal = await openPortalDatabase()
  const row = await portal.db.keyEncryptionKey.findFirstOrThrow()
  rmSync(portal.settings.portalKekFile)
  closeRing()
  expect(await refusal(openRing)).toBe(`The key file ${portal.settings.portalKekFile} is missing.`)
  expect(await portal.db.keyEncryptionKey.findMany()).toEqual([row])
})

test('security 9: the key of another installation does not open the ring, and the right one is named', async () => {
  await using portal = await openPortalDatabase()
  const row = await portal.db.keyEncryptionKey.findFirstOrThrow()
  replaceKey(portal.settings.portalKekFile, randomBytes(32).toString('base64'))
  expect(await refusal(openRing)).toBe(
    `The key file ${portal.settings.portalKekFile} does not belong to this database, which needs the key ${row.id}.`,
  )
})

test('security 9: a key file that others can read does not open the ring', async () => {
  await using portal = await openPortalDatabase()
  chmodSync(portal.settings.portalKekFile, 0o440)
  closeRing()
  expect(await refusal(openRing)).toMatch(/accessible to other users \(mode 0440\)/)
})

test('security 9: the session secret cannot also be the key-encryption key', async () => {
  await using portal = await openPortalDatabase({ ring: false })
  rmSync(portal.settings.sessionSecretFile)
  copyFileSync(portal.settings.portalKekFile, portal.settings.sessionSecretFile)
  expect(await refusal(openRing)).toMatch(/is also the session secret/)
  expect(await portal.db.keyEncryptionKey.count()).toBe(0)
})

test('security 9: a changed check value prevents the start', async () => {
  await using portal = await openPortalDatabase()
  const row = await portal.db.keyEncryptionKey.findFirstOrThrow()
  await portal.db.keyEncryptionKey.update({
    where: { id: row.id },
    data: { canary: row.canary.map((byte, index) => (index === 80 ? byte ^ 1 : byte)) },
  })
  closeRing()
  expect(await refusal(openRing)).toMatch(new RegExp(`The key ${row.id} does not decrypt its own check value`))
})

test('security 10: an emptied ring with encrypted rows is refused, not recreated', async () => {
  await using portal = await openPortalDatabase()
  await portal.db.sealedSecret.create({ data: { id: 'audit.1', purpose: 'audit', sealed: randomBytes(98), kekId: 'x', secretVersion: 1 } })
  await portal.db.keyEncryptionKey.deleteMany()
  closeRing()
  expect(await refusal(openRing)).toMatch(/its key ring is empty/)
  expect(await portal.db.keyEncryptionKey.count()).toBe(0)
})

test('a key that was used a million times encrypts nothing more', async () => {
  await using portal = await openPortalDatabase()
  await portal.db.keyEncryptionKey.updateMany({ data: { wraps: 999_999 } })
  await sealUnderRing(Buffer.from('the last one'), [])
  await expect(sealUnderRing(Buffer.from('one too many'), [])).rejects.toThrow(RingError)
})

test('a ring that fails to reopen leaves the present one working', async () => {
  await using portal = await openPortalDatabase()
  const { sealed } = await sealUnderRing(Buffer.from('secret'), ['a'])
  rmSync(portal.settings.portalKekFile)
  await refusal(openRing)
  expect((await openUnderRing(sealed, ['a'])).toString()).toBe('secret')
  createKeyFile(portal.settings.portalKekFile)
})
