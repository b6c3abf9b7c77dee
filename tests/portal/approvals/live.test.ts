/** What whoever approves reads of what is there now, as the service says it. */
import { expect, test } from 'vitest'
import { contract } from '@/lib/contract'
import { approveHeld } from '@/lib/portal/approvals/approve'
import { readLive } from '@/lib/portal/approvals/live'
import { db } from '@/lib/portal/base/db'
import { startJob } from '@/lib/portal/jobs/start'
import { inputOf } from '@/tests/support/own-input'
import { give } from '../access/grants/scene'
import { heldIdOf, openScene, readHeld, type Scene } from './scene'

const made = '2026-11-20T10:00:00.000Z'

function furnish({ upstream }: Scene): void {
  const site = upstream.model.sites.get('71')
  if (!site) throw new Error('There is no such site.')
  const table = { rows: 9, pulled: true, partners: [], related: [] }
  Object.assign(site, {
    tables: ['wp_posts', 'wp_orders'],
    staging: {
      domain: 'staging.shop.example',
      exists: true,
      user: 'staging',
      pulled: made,
      files_bytes: 734_003_200,
      mixed: false,
      tables: [
        { ...table, name: 'wp_posts', bytes: 5_242_880, changed: true, private: '' },
        { ...table, name: 'wp_orders', bytes: 1024, changed: false, private: 'orders' },
      ],
      live_changes: { count: 3, names: ['wp-content/uploads/new.jpg'], conflicts: ['index.php'], noted: true },
    },
  })
}

const askPush = ({ asker, idOf }: Pick<Scene, 'asker' | 'idOf'>, more = {}) =>
  startJob(
    asker,
    contract.apps.push,
    { siteId: idOf('shop.example') },
    { files: '1', database: '1', tables: ['wp_posts'], ...more },
    { confirmName: 'shop.example' },
  )

test('the content of a push is read live: from where, files, tables with sizes, what changed on live, and the last backup', async () => {
  await using scene = await openScene()
  furnish(scene)
  const id = heldIdOf(await askPush(scene))
  const facts = new Map((await readLive(scene.approver, id)).map(({ label, lines }) => [label, lines]))
  expect(facts.get('From')).toEqual([[{ text: 'staging.shop.example, pulled' }, { at: made }]])
  // The size of all files of live would count those that are kept.
  expect(facts.get('Files replaced')).toEqual([[{ text: 'all but 3 files that changed on live' }]])
  expect(facts.get('Changed on live, kept')).toEqual([
    [{ text: '3 files since the pull' }],
    [{ text: 'index.php, changed on staging, too' }],
    [{ text: 'wp-content/uploads/new.jpg' }],
  ])
  expect(facts.get('Tables replaced')).toEqual([[{ text: 'wp_posts' }, { bytes: '5242880' }, { text: 'changed on live since the pull' }]])
  expect(facts.get('Database')).toEqual([[{ text: 'site_db' }, { text: '2 tables' }]])
  expect(facts.get('Live files')).toEqual([[{ bytes: '104857600' }]])
  expect(facts.get('Last backup')?.[0]?.length).toBeGreaterThan(0)
  const all = await readLive(scene.approver, heldIdOf(await askPush(scene, { replace_live_changes: '1' })))
  expect(all.map(({ label }) => label)).toContain('Changed on live, replaced')
  expect(all.find(({ label }) => label === 'Files replaced')?.lines).toEqual([[{ text: 'all' }, { bytes: '734003200' }]])
})

test('of the files, those that changed on live are not counted as replaced, however many there are or whether that is known', async () => {
  await using scene = await openScene()
  furnish(scene)
  const site = scene.upstream.model.sites.get('71')
  const { staging = {} } = (site ?? {}) as { staging?: object }
  const replaced = async (live_changes: object | undefined) => {
    Object.assign(site ?? {}, { staging: { ...staging, live_changes } })
    const facts = await readLive(scene.approver, heldIdOf(await askPush(scene)))
    return facts.find(({ label }) => label === 'Files replaced')?.lines
  }
  const none = { names: [], conflicts: [], noted: true }
  expect(await replaced({ count: 0, ...none })).toEqual([[{ text: 'all' }, { bytes: '734003200' }]])
  expect(await replaced({ count: 1, ...none })).toEqual([[{ text: 'all but 1 file that changed on live' }]])
  expect(await replaced(undefined)).toEqual([[{ text: 'all but those that changed on live' }]])
})

test('whoever asked and may not read all of it is shown the rest, and the audit log names no denied read', async () => {
  await using scene = await openScene()
  furnish(scene)
  const guest = await scene.team.join('guest')
  await give(guest, { kind: 'site', id: scene.idOf('shop.example') }, { subjects: ['apps'], effects: ['read', 'destroy'] })
  const id = heldIdOf(await askPush({ ...scene, asker: guest }))
  const facts = new Map((await readLive(guest, id)).map(({ label, lines }) => [label, lines.length]))
  expect([facts.get('From'), facts.get('Tables replaced'), facts.get('Live files'), facts.get('Last backup')]).toEqual([1, 1, 0, 0])
  expect(await db().auditRow.findMany({ where: { outcome: 'denied' }, select: { action: true } })).toEqual([])
})

test('a restore names its archive, and a deletion the sites with their sizes and last backups', async () => {
  await using scene = await openScene()
  const { approver, ask } = scene
  const restore = await readLive(approver, heldIdOf(await ask.restore()))
  expect(restore.map(({ label }) => label)).toEqual(['Restored from', 'Files', 'Database', 'Last backup'])
  expect(restore[0]?.lines[0]?.[0]).toMatchObject({ text: expect.stringMatching(/shop\.example|no longer there/) })
  const site = await readLive(approver, heldIdOf(await ask.deleteSite()))
  expect(site.find(({ label }) => label === 'Files')?.lines).toEqual([[{ bytes: '104857600' }]])
  const server = await readLive(approver, heldIdOf(await ask.deleteServer()))
  expect(server.find(({ label }) => label === 'Disk')?.lines).toHaveLength(1)
  expect(server.find(({ label }) => label === 'Sites')?.lines[0]?.slice(0, 2)).toEqual([{ text: 'shop.example' }, { bytes: '104857600' }])
})

test('what cannot be read is not known, and the request can be approved all the same', async () => {
  await using scene = await openScene()
  const { approver, ask, upstream } = scene
  const id = heldIdOf(await ask.setPassword())
  const restore = heldIdOf(await ask.restore())
  upstream.set('reset-before')
  expect((await readLive(approver, restore)).map(({ lines }) => lines)).toEqual([[], [], [], []])
  upstream.clear()
  const { digest } = await readHeld(id)
  expect((await approveHeld(inputOf(approver, { heldId: id, digest }))).ok).toBe(true)
})

test('security 63: it is read with the right of whoever looks: nobody else reads it, and nothing through a connection that is not theirs', async () => {
  await using scene = await openScene()
  const { approver, asker, team, ask, upstream, connectionId } = scene
  const id = heldIdOf(await ask.deleteSite())
  upstream.calls.length = 0
  for (const other of [await team.join('viewer'), await team.join('guest')]) expect(await readLive(other, id)).toEqual([])
  expect(upstream.calls).toEqual([])
  // The asker's own connection serves the site to the asker alone.
  await db().connection.update({ where: { id: connectionId }, data: { ownerId: asker.user.id } })
  expect((await readLive(approver, id)).flatMap(({ lines }) => lines)).toEqual([])
  expect(upstream.calls).toEqual([])
})
