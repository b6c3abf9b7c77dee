import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { isUsableKey, sealCredential } from '@/lib/portal/custody/credential'
import type { CallableConnection } from '@/lib/portal/custody/open-key'
import { closeRing } from '@/lib/portal/custody/ring'
import { findOrCreateSecret, findSecret, forgetSecrets } from '@/lib/portal/custody/secrets'
import { callWithCredential } from '@/lib/portal/upstream/with-key'
import type { PrismaClient } from '@/prisma/generated/portal/client'
import { dumpPortal, openPortalDatabase } from '@/tests/support/portal-database'
import { startUpstream } from '@/tests/support/upstream/upstream'

const key = 'gh_canary-7f3d0b1e55aa44c9a1d2'
const list = { method: 'GET', path: '/servers/' } as const

async function createTeam(db: PrismaClient, id: string) {
  await db.team.create({ data: { id, name: id } })
  await db.user.create({ data: { id: `user-of-${id}`, email: `${id}@example.org`, name: id, passwordHash: 'x' } })
}

async function createConnection(
  db: PrismaClient,
  id: string,
  { teamId = 't1', ownerId = null as string | null, origin = '', apiKey = key } = {},
) {
  const identity = { id, teamId, ownerId, origin, basePath: '', secretVersion: 1, kind: 'foreign' as const, label: `label-of-${id}` }
  const sealed = await sealCredential({ connection: identity, key: apiKey })
  return await db.connection.create({ data: { ...identity, state: 'untried', ...sealed } })
}

const call = (connection: CallableConnection) => callWithCredential(connection, list, { pace: 'read' })
const locked = { kind: 'failed', problem: expect.objectContaining({ code: 'key_locked' }), sent: false }

test('a call carries the key, and neither the reply nor the row reveals it', async () => {
  await using portal = await openPortalDatabase()
  await using upstream = await startUpstream({ key })
  await createTeam(portal.db, 't1')
  const connection = await createConnection(portal.db, 'c1', { origin: upstream.origin })
  const reply = await call(connection)
  expect(reply).toMatchObject({ kind: 'answer', status: 200 })
  expect(upstream.calls.map((each) => each.headers.authorization)).toEqual([`Bearer ${key}`])
  expect(inspect([reply, connection], { depth: 9, maxArrayLength: null })).not.toContain(key)
})

test('security 4: a copy of the database without the key file contains no key, in any encoding', async () => {
  await using portal = await openPortalDatabase()
  await createTeam(portal.db, 't1')
  await createConnection(portal.db, 'c1', { origin: 'https://a.example' })
  const dump = dumpPortal(portal)
  expect(dump.includes('label-of-c1')).toBe(true)
  const bytes = Buffer.from(key)
  for (const spelling of [
    key,
    bytes.toString('hex'),
    bytes.toString('base64').slice(0, -3),
    bytes.toString('base64url').slice(0, -3),
    key.slice(0, 8),
  ]) {
    expect(dump.includes(spelling)).toBe(false)
  }
})

test('security 4: two rows with the same key look like two rows with different keys', async () => {
  await using portal = await openPortalDatabase()
  await createTeam(portal.db, 't1')
  const origin = 'https://a.example'
  const [first, second, third] = await Promise.all([
    createConnection(portal.db, 'c1', { origin }),
    createConnection(portal.db, 'c2', { origin }),
    createConnection(portal.db, 'c3', { origin, apiKey: key.replace('7', '8') }),
  ])
  const shown = [first, second, third].map((row) => row.fingerprint)
  expect(new Set(shown).size).toBe(3)
  expect(new Set([first, second, third].map((row) => row.sealedKey.length)).size).toBe(1)
  const tail = Buffer.from(second.sealedKey.subarray(10))
  for (let at = 10; at + 4 <= first.sealedKey.length; at += 1)
    expect(tail.includes(Buffer.from(first.sealedKey.subarray(at, at + 4)))).toBe(false)
})

test('the same key entered again for the same connection has the same fingerprint', async () => {
  await using portal = await openPortalDatabase()
  const connection = {
    id: 'c1',
    teamId: 't1',
    ownerId: null,
    origin: 'https://a.example',
    basePath: '',
    secretVersion: 1,
    kind: 'foreign' as const,
    label: 'x',
  }
  const [first, second] = [await sealCredential({ connection, key }), await sealCredential({ connection, key })]
  expect(first.fingerprint).toBe(second.fingerprint)
  expect(first.fingerprint).toMatch(/^([0-9a-f]{4} ){3}[0-9a-f]{4}$/)
  expect(await portal.db.sealedSecret.count()).toBe(1)
})

test('security 5: a row whose owner, team, address, path, kind, label, version or id was edited is locked, and nothing is sent', async () => {
  await using portal = await openPortalDatabase()
  await using upstream = await startUpstream({ key })
  await using thief = await startUpstream({ key })
  await createTeam(portal.db, 't1')
  await createTeam(portal.db, 't2')
  const row = await createConnection(portal.db, 'c1', { origin: upstream.origin })
  const edits = [
    { ownerId: 'user-of-t2' },
    { teamId: 't2' },
    { origin: thief.origin },
    { basePath: '/elsewhere' },
    { kind: 'bundled' as const },
    { label: 'Production' },
    { secretVersion: 2 },
    { id: 'c9' },
  ]
  for (const edit of edits) {
    const edited = await portal.db.connection.update({ where: { id: row.id }, data: edit })
    expect(await call(edited), Object.keys(edit).join()).toEqual(locked)
    await portal.db.connection.update({
      where: { id: edited.id },
      data: { ownerId: null, teamId: 't1', origin: row.origin, basePath: '', secretVersion: 1, id: 'c1', kind: row.kind, label: row.label },
    })
  }
  expect([...upstream.calls, ...thief.calls]).toEqual([])
  expect(await call(await portal.db.connection.findUniqueOrThrow({ where: { id: 'c1' } }))).toMatchObject({ kind: 'answer' })
})

test('security 5: pointing a foreign key at the bundled service, or the other way round, locks it', async () => {
  await using upstream = await startUpstream({ key })
  await using portal = await openPortalDatabase({ environment: { SERVICE_PORT: new URL(upstream.origin).port } })
  await createTeam(portal.db, 't1')
  const foreign = await createConnection(portal.db, 'c1', { origin: upstream.origin })
  const bundled = await createConnection(portal.db, 'c2', { origin: 'bundled' })
  expect(await call({ ...foreign, origin: 'bundled' })).toEqual(locked)
  expect(await call({ ...bundled, origin: upstream.origin })).toEqual(locked)
  expect(upstream.calls).toEqual([])
  expect(await call(bundled)).toMatchObject({ kind: 'answer' })
})

test('security 5: ciphertext, wrapped key, nonce or the whole blob taken from another row locks, and other rows still work', async () => {
  await using portal = await openPortalDatabase()
  await using upstream = await startUpstream({ key })
  await createTeam(portal.db, 't1')
  const [mine, other, third] = await Promise.all(
    ['c1', 'c2', 'c3'].map((id) => createConnection(portal.db, id, { origin: upstream.origin })),
  )
  if (!mine || !other || !third) throw new Error('A connection is missing.')
  // Wrap nonce, wrapped key with tag, data nonce, ciphertext with tag, all of it.
  const parts: [number, number][] = [
    [10, 22],
    [22, 70],
    [70, 82],
    [82, mine.sealedKey.length],
    [0, mine.sealedKey.length],
  ]
  for (const [from, to] of parts) {
    const sealedKey = Uint8Array.from(mine.sealedKey, (byte, index) => (index >= from && index < to ? (other.sealedKey[index] ?? 0) : byte))
    await portal.db.connection.update({ where: { id: 'c1' }, data: { sealedKey } })
    expect(await call(await portal.db.connection.findUniqueOrThrow({ where: { id: 'c1' } }))).toEqual(locked)
  }
  expect(upstream.calls).toEqual([])
  expect(await call(third)).toMatchObject({ kind: 'answer' })
})

test('security 5: a blob from another column cannot be decrypted as a key', async () => {
  await using portal = await openPortalDatabase()
  await using upstream = await startUpstream({ key })
  await createTeam(portal.db, 't1')
  const row = await createConnection(portal.db, 'c1', { origin: upstream.origin })
  const [secret, ring] = await Promise.all([portal.db.sealedSecret.findFirstOrThrow(), portal.db.keyEncryptionKey.findFirstOrThrow()])
  for (const sealedKey of [secret.sealed, ring.canary]) expect(await call({ ...row, sealedKey })).toEqual(locked)
  await portal.db.sealedSecret.update({ where: { id: secret.id }, data: { sealed: row.sealedKey } })
  forgetSecrets()
  await expect(findSecret(secret.id)).rejects.toThrow('This encrypted value cannot be decrypted.')
  expect(upstream.calls).toEqual([])
})

test('security 6: damaged blobs of every kind lock the row with the same reply', async () => {
  await using portal = await openPortalDatabase()
  await using upstream = await startUpstream({ key })
  await createTeam(portal.db, 't1')
  const row = await createConnection(portal.db, 'c1', { origin: upstream.origin })
  const flips = Array.from(row.sealedKey, (_, at) => row.sealedKey.map((byte, index) => (index === at ? byte ^ 1 : byte)))
  const cuts = [15, 12, 8, 4, 0].map((kept) => row.sealedKey.subarray(0, row.sealedKey.length - 16 + kept))
  const blobs = [...flips, ...cuts, new Uint8Array(), new Uint8Array(10_000_000)]
  const replies = new Set<string>()
  for (const sealedKey of blobs) replies.add(JSON.stringify(await call({ ...row, sealedKey })))
  expect([...replies].map((reply) => JSON.parse(reply))).toEqual([
    { ...locked, problem: { code: 'key_locked', sentence: expect.any(String) } },
  ])
  expect(upstream.calls).toEqual([])
})

test('a text that cannot be a key is refused before it is encrypted', async () => {
  await using _portal = await openPortalDatabase()
  const connection = {
    id: 'c1',
    teamId: 't1',
    ownerId: null,
    origin: 'https://a.example',
    basePath: '',
    secretVersion: 1,
    kind: 'foreign' as const,
    label: 'x',
  }
  for (const text of ['', 'short', 'with blank in it', 'line\r\nbreak-header: x', 'ключ-ключ-ключ', 'x'.repeat(4097), 'nul\0nul\0nul']) {
    expect(isUsableKey(text)).toBe(false)
    await expect(sealCredential({ connection, key: text })).rejects.toThrow('An API key has 8 to 4096 visible characters.')
  }
  expect(isUsableKey(key)).toBe(true)
})

test('a sub-key is created once, even by simultaneous callers, and survives a restart', async () => {
  await using portal = await openPortalDatabase()
  const asked = await Promise.all(Array.from({ length: 8 }, () => findOrCreateSecret('audit')))
  expect(new Set(asked.map(({ key: bytes }) => bytes.toString('hex'))).size).toBe(1)
  forgetSecrets()
  closeRing()
  expect((await findOrCreateSecret('audit')).key.equals(asked[0]?.key ?? Buffer.alloc(0))).toBe(true)
  expect((await findOrCreateSecret('fingerprint')).key.equals(asked[0]?.key ?? Buffer.alloc(0))).toBe(false)
  expect(await portal.db.sealedSecret.count()).toBe(2)
  expect(await findSecret('audit.2')).toBeNull()
})
