/** Addresses of a site are added, changed and deleted, and each change is undone unless somebody changed the address since. */
import { expect, test } from 'vitest'
import { db } from '@/lib/portal/base/db'
import { createOpaqueId } from '@/lib/portal/base/opaque-id'
import type { Person } from '@/lib/portal/identity/actor'
import { startJob } from '@/lib/portal/jobs/start'
import { deleteAddress } from '@/lib/portal/subjects/email/delete-address'
import { saveAddress } from '@/lib/portal/subjects/email/save-address'
import { listServers } from '@/lib/portal/subjects/servers/list'
import { listSites } from '@/lib/portal/subjects/sites/list'
import { undoChange } from '@/lib/portal/subjects/undo/undo'
import { inputOf } from '@/tests/support/own-input'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { createTeam } from '@/tests/support/portal-team'
import { startUpstream } from '@/tests/support/upstream/upstream'

const secret = 'a quiet harbour'
const info = { user: 'info', destination: 'someone@example.com' }
const sales = { user: 'sales', destination: 'anna@example.net' }

async function openScene({ extensions = true, emails = [info] } = {}) {
  const database = await openPortalDatabase()
  const upstream = await startUpstream({ extensions })
  upstream.addServer({ name: 'web-01' })
  const upstreamId = upstream.addSite({ domain: 'first.example', emails })
  const team = await createTeam()
  const actor = await team.join('operator')
  await team.connect(upstream)
  await listServers(actor)
  const siteId = (await listSites(actor)).sites[0]?.id ?? ''
  const site = upstream.model.sites.get(upstreamId)
  if (!site) throw new Error('The site is gone.')
  const path = `/sites/${upstreamId}`
  return {
    upstream,
    team,
    actor,
    site,
    path,
    add: (fields: Record<string, string>, who: Person = actor) => saveAddress(inputOf(who, { siteId, adds: '1', password: '', ...fields })),
    change: (fields: Record<string, string>) => saveAddress(inputOf(actor, { siteId, password: '', ...fields })),
    remove: (user: string, who: Person = actor) => deleteAddress(inputOf(who, { siteId, user })),
    undo: (id: string, who: Person = actor) => undoChange(who, id, createOpaqueId(), startJob),
    sent: () => upstream.callsTo('POST', `${path}/saveemail`).map(({ fields }) => fields),
    async [Symbol.asyncDispose]() {
      await upstream[Symbol.asyncDispose]()
      await database[Symbol.asyncDispose]()
    },
  }
}

type Saved = Awaited<ReturnType<typeof saveAddress>>

const undoOf = (saved: Saved): string => (saved.ok ? (saved.data.undo ?? '') : '')
const sentenceOf = (sentence: string) => ({ ok: false, problem: { code: 'changed_meanwhile', sentence } })

test('an address is added, also if it is entered as a whole, and the undo deletes it; its password is in no entry', async () => {
  await using scene = await openScene()
  const { add, undo, site, sent } = scene
  const added = await add({ user: ' sales@First.example ', destination: ' anna@example.net ', password: secret })
  expect(added).toMatchObject({ ok: true })
  expect(sent()).toEqual([{ ...sales, password: secret }])
  const rows = await db().auditRow.findMany()
  expect(rows.some(({ detail }) => detail.includes('anna@example.net'))).toBe(true)
  expect(JSON.stringify(rows)).not.toContain(secret)
  expect(await undo(undoOf(added))).toMatchObject({ ok: true, data: { message: 'sales was deleted again.' } })
  expect(site.emails).toEqual([info])
})

test('an address that is there is never replaced by adding one of its name', async () => {
  await using scene = await openScene()
  const { add, sent } = scene
  const refused = await add({ user: 'INFO', destination: 'anna@example.net' })
  expect(refused).toMatchObject({ ok: false, problem: { code: 'invalid', fields: { user: expect.stringContaining('exists already') } } })
  expect(sent()).toEqual([])
})

test('a destination is changed without touching the password, and restored; one that somebody else changed is left alone', async () => {
  await using scene = await openScene()
  const { change, undo, site, sent } = scene
  const changed = await change({ user: 'info', destination: 'anna@example.net', seen: 'someone@example.com' })
  expect(sent()).toEqual([{ user: 'info', destination: 'anna@example.net', password: '' }])
  expect(await undo(undoOf(changed))).toMatchObject({ ok: true, data: { message: 'info forwards to someone@example.com again.' } })
  expect(site.emails).toEqual([info])

  const again = await change({ user: 'info', destination: 'anna@example.net', seen: 'someone@example.com' })
  site.emails = [{ user: 'info', destination: 'third@example.net' }]
  const since = sentenceOf('info has been changed or deleted since. Check the site’s page Email.')
  expect(await undo(undoOf(again))).toMatchObject(since)
  const late = await change({ user: 'info', destination: 'fourth@example.net', seen: 'anna@example.net' })
  expect(late).toMatchObject(
    sentenceOf('info was changed in the meantime: it forwards to third@example.net now. Close this and open it again.'),
  )
  site.emails = []
  const gone = await change({ user: 'info', destination: 'fourth@example.net', seen: 'third@example.net' })
  expect(gone).toMatchObject(sentenceOf('info was deleted in the meantime. Add it again if you still need it.'))
  expect(sent()).toHaveLength(3)
})

test('an address that the service lists in another spelling than it was sent in is still the same', async () => {
  await using scene = await openScene({ emails: [] })
  const { add, undo, site } = scene
  const added = await add({ user: 'Info', destination: 'Anna@münchen.example' })
  site.emails = [{ user: 'info', destination: 'anna@xn--mnchen-3ya.example' }]
  expect(await undo(undoOf(added))).toMatchObject({ ok: true })
})

test('nothing is sent if nothing changes, and a new password cannot be undone, because the former is not known', async () => {
  await using scene = await openScene()
  const { change, sent } = scene
  const same = { ...info, seen: info.destination }
  expect(await change(same)).toEqual({ ok: true, data: { undo: null } })
  expect(sent()).toEqual([])
  expect(await change({ ...same, password: secret })).toEqual({ ok: true, data: { undo: null } })
  expect(sent()).toEqual([{ ...info, password: secret }])
})

test('a deleted address is added again, once, without a password', async () => {
  await using scene = await openScene()
  const { remove, undo, site, sent } = scene
  const removed = await remove('info')
  expect(site.emails).toEqual([])
  expect(await undo(undoOf(removed))).toMatchObject({
    ok: true,
    data: { message: 'info was added again. To send, it needs a new password.' },
  })
  expect(sent()).toEqual([{ ...info, password: '' }])
  expect(await undo(undoOf(removed))).toMatchObject(sentenceOf(expect.stringMatching(/^This was already undone by/)))
  const twice = await remove('info')
  site.emails = [{ user: 'info', destination: 'other@example.net' }]
  expect(await undo(undoOf(twice))).toMatchObject(sentenceOf('info exists again, so there is nothing to undo.'))
})

test('a service without extensions gets a password that nobody knows for an address that is added again, never an empty one', async () => {
  await using scene = await openScene({ extensions: false })
  const { remove, undo, sent, site } = scene
  for (const round of [1, 2]) {
    expect(await undo(undoOf(await remove('info')))).toMatchObject({ ok: true })
    expect([round, site.emails]).toEqual([round, [info]])
  }
  const passwords = sent().map(({ password }) => password)
  expect(new Set(passwords).size).toBe(2)
  for (const password of passwords) expect(password).toMatch(/^[\w-]{32}$/)
  const stored = JSON.stringify(await db().auditRow.findMany())
  for (const password of passwords) expect(stored).not.toContain(password)
})

test('an address with several destinations, or none, is deleted without an undo that could not restore it', async () => {
  const emails = [info, { user: 'info', destination: 'second@example.com' }, { user: 'bare', destination: '' }]
  await using scene = await openScene({ emails })
  const { remove, site } = scene
  for (const user of ['info', 'bare']) expect(await remove(user)).toEqual({ ok: true, data: { undo: null } })
  expect(site.emails).toEqual([])
})

test('a refusal leaves nothing to undo; after a lost answer the undo acts on what the list shows', async () => {
  await using scene = await openScene()
  const { add, remove, undo, upstream, path, site } = scene
  expect(await add({ user: 'sales', destination: 'nowhere' })).toMatchObject({ ok: false, problem: { code: 'invalid' } })
  expect(await db().undo.count()).toBe(0)
  upstream.set('reset-after', { path: `${path}/deleteemail`, times: 1 })
  expect(await remove('info')).toMatchObject({ ok: false, problem: { code: 'outcome_unknown' } })
  const kept = await db().undo.findFirstOrThrow()
  upstream.set('reset-after', { path: `${path}/saveemail`, times: 1 })
  expect(await undo(kept.id)).toMatchObject({ ok: true })
  expect(site.emails).toEqual([info])
})

test('a viewer adds, deletes and restores nothing', async () => {
  await using scene = await openScene()
  const { team, add, remove, undo, site, upstream } = scene
  const viewer = await team.join('viewer')
  const forbidden = { ok: false, problem: { code: 'forbidden' } }
  expect(await add(sales, viewer)).toMatchObject(forbidden)
  expect(await remove('info', viewer)).toMatchObject(forbidden)
  expect(upstream.calls.filter(({ path }) => path.includes('email'))).toEqual([])
  const removed = await remove('info')
  expect(await undo(undoOf(removed), viewer)).toMatchObject(forbidden)
  expect(site.emails).toEqual([])
})

test('a service that lists whole addresses: one is found by its name, and is sent as it is listed', async () => {
  await using scene = await openScene({ emails: [{ user: 'info@first.example', destination: 'someone@example.com' }] })
  const { add, change, sent } = scene
  expect(await add({ user: 'info', destination: 'anna@example.net' })).toMatchObject({ ok: false, problem: { code: 'invalid' } })
  const seen = 'someone@example.com'
  expect(await change({ user: 'info@first.example', destination: 'anna@example.net', seen })).toMatchObject({ ok: true })
  expect(sent()).toMatchObject([{ user: 'info@first.example', destination: 'anna@example.net' }])
})

test('the password of an address with several destinations is not set, because saving would leave one', async () => {
  await using scene = await openScene({ emails: [info, { ...info, destination: 'anna@example.net' }] })
  const both = 'someone@example.com, anna@example.net'
  const refused = await scene.change({ user: 'info', destination: both, seen: both, password: secret })
  expect(refused).toMatchObject({ ok: false, problem: { code: 'unsuitable', sentence: expect.stringContaining('several destinations') } })
  expect(scene.sent()).toEqual([])
})
