/** SFTP keys of a site are added and removed, each change can be undone, and a private key goes nowhere. */
import { expect, test } from 'vitest'
import { db } from '@/lib/portal/base/db'
import { createOpaqueId } from '@/lib/portal/base/opaque-id'
import type { Person } from '@/lib/portal/identity/actor'
import { startJob } from '@/lib/portal/jobs/start'
import { listServers } from '@/lib/portal/subjects/servers/list'
import { addKey, removeKey } from '@/lib/portal/subjects/sftp/change-keys'
import { listSites } from '@/lib/portal/subjects/sites/list'
import { undoChange } from '@/lib/portal/subjects/undo/undo'
import { describeAction } from '@/lib/portal/views/activity/sentences'
import { inputOf } from '@/tests/support/own-input'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { createTeam } from '@/tests/support/portal-team'
import type { UpstreamSite } from '@/tests/support/upstream/model'
import { startUpstream } from '@/tests/support/upstream/upstream'

const fingerprint = 'SHA256:YnuwJ3n0dyxqi1IwGQsL3x3jdDxpcVUq81wFSvgrZRI'
const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHd0DyWLPmZ87RwxlcVdsoS3CrMzaayGI7RQBbnC+JMb kim@laptop'
const present = { fingerprint, type: 'ssh-ed25519', comment: 'kim@laptop', key }
const secret = 'b3BlbnNzaC1rZXktdjEAAAAABG5vbmU'
/** Not written here as such, so that nobody takes this file for a leak. */
const privateKey = `-----BEGIN OPENSSH ${'PRIVATE'} KEY-----\n${secret}\n-----END OPENSSH ${'PRIVATE'} KEY-----`

async function openScene({ extensions = true, keys = [] }: { extensions?: boolean; keys?: UpstreamSite['keys'] } = {}) {
  const database = await openPortalDatabase()
  const upstream = await startUpstream({ extensions })
  upstream.addServer({ name: 'web-01' })
  const upstreamId = upstream.addSite({ domain: 'first.example', keys })
  const team = await createTeam()
  const actor = await team.join('operator')
  await team.connect(upstream)
  await listServers(actor)
  const siteId = (await listSites(actor)).sites[0]?.id ?? ''
  const site = upstream.model.sites.get(upstreamId)
  if (!site) throw new Error('The site is gone.')
  return {
    team,
    actor,
    site,
    add: (text: string, who: Person = actor) => addKey(inputOf(who, { siteId, key: text })),
    remove: (which: string, who: Person = actor) => removeKey(inputOf(who, { siteId, fingerprint: which })),
    undo: (id: string, who: Person = actor) => undoChange(who, id, createOpaqueId(), startJob),
    sent: () => upstream.callsTo('POST', `/sites/${upstreamId}/savesftpkey`).map(({ fields }) => fields),
    async [Symbol.asyncDispose]() {
      await upstream[Symbol.asyncDispose]()
      await database[Symbol.asyncDispose]()
    },
  }
}

const undoOf = (made: Awaited<ReturnType<typeof addKey>>): string => (made.ok ? (made.data.undo ?? '') : '')
const sentences = async () =>
  (await db().auditRow.findMany({ where: { stage: 'intent', action: { in: ['sftp.save', 'sftp.delete'] } }, orderBy: { seq: 'asc' } })).map(
    ({ action, detail }) => describeAction(action, JSON.parse(detail), 'done'),
  )

test('a key is added and removed, each change is undone, and Activity names the key', async () => {
  await using scene = await openScene()
  const { add, remove, undo, site, sent } = scene
  const added = await add(`  ${key}\n`)
  expect(added).toMatchObject({ ok: true })
  expect(sent()).toEqual([{ key }])
  expect(await undo(undoOf(added))).toMatchObject({ ok: true, data: { message: 'The key was removed again.' } })
  expect(site.keys).toEqual([])
  expect(await add(key)).toMatchObject({ ok: true })
  const removed = await remove(fingerprint)
  expect(removed).toMatchObject({ ok: true })
  expect(site.keys).toEqual([])
  expect(await undo(undoOf(removed))).toMatchObject({ ok: true, data: { message: 'The key was added again.' } })
  expect(site.keys).toEqual([present])
  const named = `the SFTP key ${fingerprint} (kim@laptop)`
  expect(await sentences()).toEqual([
    `Added ${named}`,
    `Removed ${named}`,
    `Added ${named}`,
    `Removed ${named}`,
    `Added the SFTP key ${fingerprint}`,
  ])
})

test.each([privateKey, privateKey.replaceAll('\n', ' '), `PuTTY-User-Key-File-3: ssh-ed25519\nPrivate-Lines: 1\n${secret}`])(
  'security: a private key is refused with what to do, sent to nobody, and stored nowhere: %#',
  async (text) => {
    await using scene = await openScene()
    const refused = await scene.add(text)
    expect(refused).toMatchObject({ ok: false, problem: { code: 'invalid', fields: { key: expect.stringContaining('to replace it') } } })
    expect(scene.sent()).toEqual([])
    expect(JSON.stringify([refused, await db().auditRow.findMany(), await db().undo.findMany()])).not.toContain(secret)
  },
)

test('what is no key is not sent, and a state that has changed since is not undone', async () => {
  await using scene = await openScene({ keys: [present] })
  const { add, remove, undo, site, sent } = scene
  expect(await add('hello')).toMatchObject({
    ok: false,
    problem: { code: 'invalid', fields: { key: expect.stringContaining('no public') } },
  })
  expect(sent()).toEqual([])
  const removed = await remove(fingerprint)
  site.keys = [present]
  expect(await undo(undoOf(removed))).toMatchObject({ ok: false, problem: { code: 'changed_meanwhile' } })
  // Limited by options on the server, which the list does not answer.
  site.keys = [{ ...present, key: '' }]
  expect(await remove(fingerprint)).toEqual({ ok: true, data: { undo: null } })
})

test('viewers, other teams and services without extensions are refused', async () => {
  await using scene = await openScene({ keys: [present] })
  for (const [who, code] of [
    [await scene.team.join('viewer'), 'forbidden'],
    [await (await createTeam('Others')).join('owner'), 'not_found'],
  ] as const) {
    expect(await scene.add(key, who)).toMatchObject({ ok: false, problem: { code } })
    expect(await scene.remove(fingerprint, who)).toMatchObject({ ok: false, problem: { code } })
  }
  expect(scene.sent()).toEqual([])
  expect(scene.site.keys).toEqual([present])
  await using foreign = await openScene({ extensions: false, keys: null })
  expect(await foreign.add(key)).toMatchObject({ ok: false })
  expect(foreign.sent()).toEqual([])
})
