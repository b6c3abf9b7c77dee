/** What a rotation that was killed leaves behind, in files and in rows, and that the next one finishes from there. */
import { existsSync, linkSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { beforeEach, expect, test, vi } from 'vitest'
import { findProvider } from '@/lib/portal/custody/provider'
import { closeRing, openRing } from '@/lib/portal/custody/ring'
import { enterKek } from '@/lib/portal/custody/ring-loading'
import { verifyRing } from '@/lib/portal/custody/rotation'
import { findOrCreateSecret, forgetSecrets } from '@/lib/portal/custody/secrets'
import { rotate } from '@/lib/portal/entry/key-acts'
import { createKek } from '@/lib/sealing/kek'
import { createKeyFile } from '@/lib/sealing/key-file'
import { openPortalDatabase, type PortalDatabase } from '@/tests/support/portal-database'

const files = vi.hoisted(() => ({ calls: 0, killAt: Number.POSITIVE_INFINITY }))

vi.mock('node:fs', async (importOriginal) => {
  const { guardFiles } = await import('@/tests/support/killed-files')
  return guardFiles(await importOriginal<typeof import('node:fs')>(), files)
})

beforeEach(() => Object.assign(files, { calls: 0, killAt: Number.POSITIVE_INFINITY }))

function restart() {
  closeRing()
  forgetSecrets()
}

/** The next rotation ends well, on the keys that a start opens. */
async function expectFinished(portal: PortalDatabase) {
  restart()
  await openRing()
  expect(await rotate()).toMatch(/^\d+ sealed values? opens?, all under the key/)
  restart()
  await openRing()
  expect(await verifyRing()).toMatchObject({ old: 0, broken: [] })
  const states = (await portal.db.keyEncryptionKey.findMany()).map(({ state }) => state).sort()
  expect(states).toEqual(['active', 'decryptOnly'])
  expect(existsSync(`${portal.settings.portalKekFile}.new`)).toBe(false)
}

const fresh = ['no file', 'an empty file', 'half a key', 'a key'] as const

for (const left of fresh) {
  for (const linked of [false, true]) {
    test(`security 7: starting with ${left} as kek.key.new${linked ? ' and the old name' : ''}, a rotation succeeds`, async () => {
      await using portal = await openPortalDatabase()
      await findOrCreateSecret('audit')
      const { portalKekFile, portalOldKekFile } = portal.settings
      if (left === 'a key') createKeyFile(`${portalKekFile}.new`)
      else if (left !== 'no file') writeFileSync(`${portalKekFile}.new`, left === 'half a key' ? 'aGFsZi' : '', { mode: 0o400 })
      if (linked) linkSync(portalKekFile, portalOldKekFile)
      await expectFinished(portal)
    })
  }
}

for (const entered of [false, true]) {
  test(`security 7: starting with the new key in place${entered ? ' and entered as pending' : ''}, a rotation is finished`, async () => {
    await using portal = await openPortalDatabase()
    await findOrCreateSecret('audit')
    const { portalKekFile, portalOldKekFile } = portal.settings
    const kek = createKek(createKeyFile(`${portalKekFile}.new`))
    linkSync(portalKekFile, portalOldKekFile)
    renameSync(`${portalKekFile}.new`, portalKekFile)
    if (entered) await enterKek(kek, findProvider(portal.settings), 'pending', 2)
    // A second one that was begun meanwhile and killed.
    createKeyFile(`${portalKekFile}.new`)
    restart()
    await openRing()
    expect(await rotate()).toContain(kek.id)
    rmSync(`${portalKekFile}.new`, { force: true })
  })
}

test('security 7: a pending key whose file is gone prevents neither the start nor the next rotation', async () => {
  await using portal = await openPortalDatabase()
  await findOrCreateSecret('audit')
  const file = `${portal.settings.portalKekFile}.elsewhere`
  const lost = createKek(createKeyFile(file))
  await enterKek(lost, findProvider(portal.settings), 'pending', 2)
  rmSync(file)
  await expectFinished(portal)
  expect(await portal.db.keyEncryptionKey.count({ where: { id: lost.id } })).toBe(0)
})

test('security 7: a rotation killed at any file change is finished by the next one', async () => {
  let reached = 0
  for (let killAt = 1; ; killAt += 1) {
    await using portal = await openPortalDatabase()
    await findOrCreateSecret('audit')
    Object.assign(files, { calls: 0, killAt })
    const survived = await rotate().then(
      () => true,
      () => false,
    )
    const { calls } = files
    Object.assign(files, { calls: 0, killAt: Number.POSITIVE_INFINITY })
    await expectFinished(portal)
    if (survived && calls < killAt) break
    reached += 1
  }
  expect(reached).toBeGreaterThanOrEqual(5)
})
