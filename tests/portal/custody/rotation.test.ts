import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { processState } from '@/lib/portal/base/process-state'
import { openBackupTarget, sealBackupTarget } from '@/lib/portal/custody/backup-target'
import { bindTotp } from '@/lib/portal/custody/binding'
import { sealCredential } from '@/lib/portal/custody/credential'
import { closeRing, openRing, sealUnderRing } from '@/lib/portal/custody/ring'
import { retireKeys, rotateTo, verifyRing } from '@/lib/portal/custody/rotation'
import { findOrCreateSecret, forgetSecrets } from '@/lib/portal/custody/secrets'
import { callWithCredential } from '@/lib/portal/upstream/with-key'
import { createKek } from '@/lib/sealing/kek'
import { createKeyFile } from '@/lib/sealing/key-file'
import { openPortalDatabase, type PortalDatabase } from '@/tests/support/portal-database'
import { startUpstream } from '@/tests/support/upstream/upstream'

const key = 'gh_canary-of-the-rotation'
const list = { method: 'GET', path: '/servers/' } as const

async function createConnections(portal: PortalDatabase, count: number, origin: string) {
  await portal.db.team.create({ data: { id: 't1', name: 'Team' } })
  for (let index = 0; index < count; index += 1) {
    const identity = {
      id: `c${index}`,
      teamId: 't1',
      ownerId: null,
      origin,
      basePath: '',
      secretVersion: 1,
      kind: 'foreign' as const,
      label: 'x',
    }
    const sealed = await sealCredential({ connection: identity, key })
    await portal.db.connection.create({ data: { ...identity, state: 'untried', ...sealed } })
  }
}

/** A second key file beside the first; its id. */
function addKey(portal: PortalDatabase, name: string): string {
  return createKek(createKeyFile(join(portal.settings.keysDir, 'portal', `kek.${name}.key`))).id
}

test('security 7: after a rotation every secret is under the new key, can be decrypted, and its ciphertext is unchanged', async () => {
  await using portal = await openPortalDatabase()
  await using upstream = await startUpstream({ key })
  await createConnections(portal, 120, upstream.origin)
  const auditKey = (await findOrCreateSecret('audit')).key
  const before = await portal.db.connection.findMany({ orderBy: { id: 'asc' } })
  const next = addKey(portal, 'next')
  expect(await rotateTo(next)).toMatchObject({ opened: 122, old: 0, broken: [] })
  const after = await portal.db.connection.findMany({ orderBy: { id: 'asc' } })
  expect(new Set(after.map((row) => row.kekId))).toEqual(new Set([next]))
  after.forEach((row, index) => {
    expect(row.sealedKey.subarray(70)).toEqual(before[index]?.sealedKey.subarray(70))
  })
  const [first] = after
  if (!first) throw new Error('There is no connection.')
  expect(await callWithCredential(first, list, { pace: 'read' })).toMatchObject({ kind: 'answer', status: 200 })
  forgetSecrets()
  expect((await findOrCreateSecret('audit')).key.equals(auditKey)).toBe(true)
})

test('security 7: a rotation interrupted between any two steps is finished by repeating it, and both keys can decrypt meanwhile', async () => {
  await using portal = await openPortalDatabase()
  await createConnections(portal, 5, 'https://a.example')
  const next = addKey(portal, 'next')
  await rotateTo(next)
  const other = addKey(portal, 'other')
  await rotateTo(other)
  // As left by a process that died after the change of keys and two rows.
  const third = addKey(portal, 'third')
  await rotateTo(third)
  await portal.db.keyEncryptionKey.updateMany({ where: { id: { in: [other, third] } }, data: { state: 'decryptOnly' } })
  await portal.db.keyEncryptionKey.update({ where: { id: other }, data: { state: 'active' } })
  await portal.db.keyEncryptionKey.update({ where: { id: third }, data: { state: 'pending' } })
  closeRing()
  expect(await verifyRing()).toMatchObject({ opened: 6, old: 6, broken: [] })
  expect(await rotateTo(third)).toMatchObject({ opened: 6, old: 0, broken: [] })
  expect(await rotateTo(third)).toMatchObject({ opened: 6, old: 0, broken: [] })
})

test('security 7: the keys of a backup target are moved too, and one whose row was changed is reported', async () => {
  await using portal = await openPortalDatabase()
  await portal.db.team.create({ data: { id: 't1', name: 'Team' } })
  const pair = (name: string) => ({ accessKeyId: name, secretAccessKey: `secret of ${name}` })
  for (const id of ['a', 'b']) {
    const target = { id, teamId: 't1', ownerId: null, kind: 's3', address: '{}', secretVersion: 1 } as const
    const sealed = await sealBackupTarget(target, { server: pair('server'), maintenance: pair('maintenance') })
    await portal.db.backupTarget.create({ data: { ...target, label: id, checkedAt: new Date(), ...sealed } })
  }
  await portal.db.backupTarget.update({ where: { id: 'b' }, data: { address: '{"endpoint":"https://thief.example"}' } })
  const next = addKey(portal, 'next')
  expect(await rotateTo(next)).toMatchObject({ opened: 1, broken: [{ table: 'BackupTarget', id: 'b' }] })
  const [moved, changed] = await portal.db.backupTarget.findMany({ orderBy: { id: 'asc' } })
  if (!moved || !changed) throw new Error('A target is missing.')
  expect(moved.kekId).toBe(next)
  expect(await openBackupTarget(moved)).toMatchObject({ maintenance: pair('maintenance') })
  expect(await openBackupTarget(changed)).toBeNull()
})

test('security 8: of two simultaneous rotations one succeeds, and no secret is lost', async () => {
  await using portal = await openPortalDatabase()
  await createConnections(portal, 20, 'https://a.example')
  const keys = [addKey(portal, 'a'), addKey(portal, 'b')]
  await Promise.allSettled(keys.map((each) => rotateTo(each)))
  expect(await portal.db.keyEncryptionKey.count({ where: { state: 'active' } })).toBe(1)
  closeRing()
  expect(await verifyRing()).toMatchObject({ opened: 21, broken: [] })
})

test('security 8: a key saved during a rotation survives it', async () => {
  await using portal = await openPortalDatabase()
  await createConnections(portal, 110, 'https://a.example')
  const identity = {
    id: 'c42',
    teamId: 't1',
    ownerId: null,
    origin: 'https://a.example',
    basePath: '',
    secretVersion: 2,
    kind: 'foreign' as const,
    label: 'x',
  }
  const save = async () => {
    const sealed = await sealCredential({ connection: identity, key: 'gh_saved-meanwhile' })
    await portal.db.connection.update({ where: { id: 'c42' }, data: { ...sealed, secretVersion: 2, rev: { increment: 1 } } })
  }
  const next = addKey(portal, 'next')
  await Promise.all([rotateTo(next), save()])
  expect(await rotateTo(next)).toMatchObject({ opened: 111, old: 0, broken: [] })
  expect(await portal.db.connection.findUnique({ where: { id: 'c42' } })).toMatchObject({ secretVersion: 2, kekId: next })
})

test('security 7: a running process continues after another process rotated the keys', async () => {
  await using portal = await openPortalDatabase()
  await createConnections(portal, 1, 'https://a.example')
  const inUse = processState('key ring', (): { ring?: unknown } => ({}))
  const old = await inUse().ring
  const next = addKey(portal, 'next')
  await rotateTo(next)
  inUse().ring = Promise.resolve(old)
  const identity = {
    id: 'c9',
    teamId: 't1',
    ownerId: null,
    origin: 'https://a.example',
    basePath: '',
    secretVersion: 1,
    kind: 'foreign' as const,
    label: 'x',
  }
  expect((await sealCredential({ connection: identity, key })).kekId).toBe(next)
  inUse().ring = Promise.resolve(old)
  forgetSecrets()
  expect((await findOrCreateSecret('fingerprint')).key.length).toBe(32)
})

test('security 10: rows under a missing key are named with it, the others still move, and nothing is retired', async () => {
  await using portal = await openPortalDatabase()
  await createConnections(portal, 3, 'https://a.example')
  const row = await portal.db.connection.findUniqueOrThrow({ where: { id: 'c1' } })
  const foreign = row.sealedKey.map((byte, index) => (index >= 2 && index < 10 ? 0xaa : byte))
  await portal.db.connection.update({ where: { id: 'c1' }, data: { sealedKey: foreign } })
  const broken = [{ table: 'Connection', id: 'c1', kekId: 'aaaaaaaaaaaaaaaa' }]
  expect(await rotateTo(addKey(portal, 'next'))).toMatchObject({ opened: 3, old: 0, broken })
  expect((await portal.db.connection.findUniqueOrThrow({ where: { id: 'c1' } })).sealedKey).toEqual(foreign)
  await expect(retireKeys()).rejects.toThrow('No key was retired.')
})

test('an old key file may be removed once the key is retired; before that its absence prevents the start', async () => {
  await using portal = await openPortalDatabase()
  await createConnections(portal, 3, 'https://a.example')
  const { portalKekFile } = portal.settings
  const before = await portal.db.keyEncryptionKey.findFirstOrThrow()
  await rotateTo(addKey(portal, 'next'))
  const swap = () => {
    renameSync(portalKekFile, `${portalKekFile}.old`)
    renameSync(portalKekFile.replace(/key$/, 'next.key'), portalKekFile)
    closeRing()
  }
  swap()
  await expect(openRing()).rejects.toThrow(`which needs the key ${before.id}`)
  renameSync(portalKekFile, portalKekFile.replace(/key$/, 'next.key'))
  renameSync(`${portalKekFile}.old`, portalKekFile)
  await retireKeys()
  swap()
  await openRing()
  expect(await verifyRing()).toMatchObject({ opened: 4, old: 0, broken: [] })
})

test('a key that was active before, or is missing, cannot be rotated to', async () => {
  await using portal = await openPortalDatabase()
  const before = await portal.db.keyEncryptionKey.findFirstOrThrow()
  await rotateTo(addKey(portal, 'next'))
  await expect(rotateTo(before.id)).rejects.toThrow('was in use before')
  await expect(rotateTo('0123456789abcdef')).rejects.toThrow('There is no file with the key')
})

test('security 7: a rotation re-encrypts the seeds of authenticator apps, and verification names one that was moved to another user', async () => {
  await using portal = await openPortalDatabase()
  for (const id of ['u1', 'u2']) await portal.db.user.create({ data: { id, email: `${id}@example.org`, name: id } })
  for (const userId of ['u1', 'u2']) {
    const row = { userId, secretVersion: 1 }
    await portal.db.totp.create({ data: { ...row, ...(await sealUnderRing(Buffer.alloc(20, userId), bindTotp(row))) } })
  }
  const next = addKey(portal, 'next')
  expect(await rotateTo(next)).toMatchObject({ opened: 2, old: 0, broken: [] })
  const [first, second] = await portal.db.totp.findMany({ orderBy: { userId: 'asc' } })
  expect([first?.kekId, second?.kekId]).toEqual([next, next])
  if (first) await portal.db.totp.update({ where: { userId: 'u2' }, data: { sealed: first.sealed } })
  expect(await verifyRing()).toMatchObject({ opened: 1, old: 0, broken: [{ table: 'Totp', id: 'u2', kekId: next }] })
})
