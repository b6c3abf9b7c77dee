/** A data folder of the version that did not bind connections to kind and label. */
import { expect, test } from 'vitest'
import { bindFormerConnection } from '@/lib/portal/custody/binding'
import { rebindConnections } from '@/lib/portal/custody/rebinding'
import { closeRing, currentRing, openRing, sealUnderRing } from '@/lib/portal/custody/ring'
import { sealCanary } from '@/lib/portal/custody/ring-loading'
import { rotateTo, verifyRing } from '@/lib/portal/custody/rotation'
import { verify } from '@/lib/portal/entry/key-acts'
import { renameConnection } from '@/lib/portal/subjects/connections/rename'
import { callWithCredential } from '@/lib/portal/upstream/with-key'
import { createKek } from '@/lib/sealing/kek'
import { createKeyFile } from '@/lib/sealing/key-file'
import { openPortalDatabase, type PortalDatabase } from '@/tests/support/portal-database'
import { createTeam } from '@/tests/support/portal-team'
import { startUpstream } from '@/tests/support/upstream/upstream'

const key = 'gh_canary-of-the-binding'
const list = { method: 'GET', path: '/servers/' } as const

/** Rows and check value as that version wrote them. */
async function makeFormer({ db }: PortalDatabase, origin: string) {
  await db.team.create({ data: { id: 't1', name: 'Team' } })
  const { active } = await currentRing()
  for (const id of ['c1', 'c2']) {
    const identity = { id, teamId: 't1', ownerId: null, origin, basePath: '', secretVersion: 1 }
    const { sealed, kekId } = await sealUnderRing(Buffer.from(key), bindFormerConnection(identity))
    const row = { label: `label-of-${id}`, kind: 'foreign', state: 'working', fingerprint: '', sealedKey: sealed, kekId } as const
    await db.connection.create({ data: { ...identity, ...row } })
  }
  await db.keyEncryptionKey.updateMany({ data: { canary: sealCanary(active, 1) } })
  closeRing()
  await openRing()
}

const call = async ({ db }: PortalDatabase, id = 'c1') =>
  callWithCredential(await db.connection.findUniqueOrThrow({ where: { id } }), list, { pace: 'read' })

const locked = { kind: 'failed', problem: { code: 'key_locked' }, sent: false }

test('security 5: keys of an older data folder can be decrypted after the start, bound to kind and label; the former binding is then refused', async () => {
  await using portal = await openPortalDatabase()
  await using upstream = await startUpstream({ key })
  await makeFormer(portal, upstream.origin)
  const former = await portal.db.connection.findUniqueOrThrow({ where: { id: 'c1' } })
  expect(await verify()).toMatch(/^2 sealed values open/)
  await rebindConnections()
  expect(await call(portal)).toMatchObject({ kind: 'answer', status: 200 })
  expect(await verifyRing()).toMatchObject({ opened: 2, old: 0, broken: [] })
  // Also at the next start nothing is bound again.
  for (const edit of [{ label: 'Production' }, { kind: 'bundled' as const }, { sealedKey: former.sealedKey, kekId: former.kekId }]) {
    const present = await portal.db.connection.findUniqueOrThrow({ where: { id: 'c1' } })
    await portal.db.connection.update({ where: { id: 'c1' }, data: edit })
    closeRing()
    await openRing()
    await rebindConnections()
    expect(await call(portal), Object.keys(edit).join()).toMatchObject(locked)
    expect(await call(portal, 'c2')).toMatchObject({ kind: 'answer' })
    await portal.db.connection.update({ where: { id: 'c1' }, data: present })
  }
  expect(await call(portal)).toMatchObject({ kind: 'answer' })
})

test('security 7: a rotation before that start moves the rows unchanged, and the start binds them', async () => {
  await using portal = await openPortalDatabase()
  await using upstream = await startUpstream({ key })
  await makeFormer(portal, upstream.origin)
  const next = createKek(createKeyFile(portal.settings.portalKekFile.replace(/key$/, 'next.key'))).id
  expect(await rotateTo(next)).toMatchObject({ opened: 2, old: 0, broken: [] })
  closeRing()
  await openRing()
  await rebindConnections()
  expect(await call(portal)).toMatchObject({ kind: 'answer', status: 200 })
})

test('a key that cannot be decrypted stays locked, and the others are bound', async () => {
  await using portal = await openPortalDatabase()
  await using upstream = await startUpstream({ key })
  await makeFormer(portal, upstream.origin)
  await portal.db.connection.update({ where: { id: 'c1' }, data: { origin: 'https://thief.example' } })
  await rebindConnections()
  expect(await call(portal)).toMatchObject(locked)
  expect(await call(portal, 'c2')).toMatchObject({ kind: 'answer', status: 200 })
})

test('the key of a renamed connection can be decrypted, under its new label only', async () => {
  await using portal = await openPortalDatabase()
  await using upstream = await startUpstream()
  const team = await createTeam()
  const actor = await team.join('owner')
  const id = await team.connect(upstream, { label: 'Before' })
  const field = (name: string) => (name === 'label' ? 'After' : id)
  const renamed = await renameConnection({ actor, requestId: 'request-1', field, stepUp: async () => null })
  expect(renamed).toEqual({ ok: true, data: { label: 'After' } })
  expect(await call(portal, id)).toMatchObject({ kind: 'answer', status: 200 })
  await portal.db.connection.update({ where: { id }, data: { label: 'Before' } })
  expect(await call(portal, id)).toMatchObject(locked)
})
