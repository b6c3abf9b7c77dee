/** Two accounts at one origin: a key sees and changes the sites that it lists itself, and no others. */
import { expect, test } from 'vitest'
import { contract } from '@/lib/contract'
import { db } from '@/lib/portal/base/db'
import { createOpaqueId } from '@/lib/portal/base/opaque-id'
import type { Person as Actor } from '@/lib/portal/identity/actor'
import { removeConnection } from '@/lib/portal/subjects/connections/remove'
import { replaceKey } from '@/lib/portal/subjects/connections/replace-key'
import { changeLabels } from '@/lib/portal/subjects/labels/change'
import { runOperation } from '@/lib/portal/subjects/spine'
import { inputOf, signedInLately } from '@/tests/support/own-input'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { createTeam } from '@/tests/support/portal-team'
import { shareOrigin } from '@/tests/support/shared-origin'
import { startUpstream } from '@/tests/support/upstream/upstream'

/** Two accounts with a site each, `shop` and `blog`, behind one address. */
async function openAccounts() {
  const database = await openPortalDatabase()
  const [first, second] = [await startUpstream(), await startUpstream()]
  const shared = await shareOrigin([first, second])
  const { origin } = shared
  const ids = { shop: first.addSite({ id: '11', domain: 'shop.example' }), blog: second.addSite({ id: '22', domain: 'blog.example' }) }
  const team = await createTeam()
  const place = (name: keyof typeof ids, connectionId: string) => placeSite(team.id, origin, ids[name], `${name}.example`, connectionId)
  return {
    team,
    origin,
    first,
    second,
    place,
    [Symbol.asyncDispose]: async () => {
      for (const opened of [shared, first, second, database]) await opened[Symbol.asyncDispose]()
    },
  }
}

async function placeSite(teamId: string, origin: string, upstreamId: string, domain: string, connectionId: string): Promise<string> {
  const now = new Date()
  const id = createOpaqueId()
  const connections = { create: { connectionId, provenAt: now } }
  await db().site.create({ data: { id, teamId, origin, upstreamId, domain, listedAt: now, connections } })
  return id
}

const codeOf = (outcome: { ok: true } | { ok: false; problem: { code: string } }) => (outcome.ok ? 'ok' : outcome.problem.code)

const { sites, ssl, database, aliases, email } = contract

const reads = [sites.summary, sites.settings, database.get, database.tables, aliases.list, email.get]

/** Changes whose fields fit each of them. */
const changes = [ssl.set, database.save, aliases.save, aliases.delete, email.set, email.save, email.delete]
const fields = { status: '1', password: 'a quiet harbour', alias: 'www.planted.example', user: 'info', destination: 'a@example.net' }

/** What comes of looking at a site, changing it, labelling it and deleting it. */
async function tryAll(actor: Actor, siteId: string, domain: string): Promise<string[]> {
  const codes: string[] = []
  for (const read of reads) codes.push(codeOf(await runOperation(actor, read, { siteId })))
  for (const change of changes) codes.push(codeOf(await runOperation(actor, change, { siteId }, fields)))
  return [
    ...codes,
    codeOf(await runOperation(actor, sites.download, { siteId }, {}, { stepUp: signedInLately })),
    codeOf(await changeLabels(actor, { change: 'add', subjectKind: 'site', subjectIds: [siteId], label: 'mine' })),
    codeOf(await runOperation(actor, sites.delete, { siteId }, {}, { confirmName: domain, stepUp: signedInLately })),
  ]
}

const all = (code: string): string[] => Array.from({ length: reads.length + changes.length + 3 }, () => code)

test('security 3: of two users with different accounts at one origin neither sees or changes the other’s sites', async () => {
  await using accounts = await openAccounts()
  const { team, origin, first, second, place } = accounts
  const [ann, bob, eve] = [await team.join('operator'), await team.join('operator'), await team.join('owner')]
  const shop = await place('shop', await team.connect({ origin, key: first.key }, { ownerId: ann.user.id }))
  const blog = await place('blog', await team.connect({ origin, key: second.key }, { ownerId: bob.user.id }))
  const refused = all('not_found')
  expect(await tryAll(ann, blog, 'blog.example')).toEqual(refused)
  expect(await tryAll(bob, shop, 'shop.example')).toEqual(refused)
  expect(await tryAll(eve, shop, 'shop.example')).toEqual(refused)
  // The same answer as for what nobody has, and not one question to the service.
  expect(await tryAll(ann, createOpaqueId(), 'blog.example')).toEqual(refused)
  expect([first.calls, second.calls]).toEqual([[], []])
  expect(await db().label.count()).toBe(0)
  const done = all('ok')
  expect(await tryAll(ann, shop, 'shop.example')).toEqual(done)
  expect(await tryAll(bob, blog, 'blog.example')).toEqual(done)
  expect([first.model.sites.size, second.model.sites.size]).toEqual([0, 0])
})

test('of two accounts shared with the team, only the key that lists the site is used', async () => {
  await using accounts = await openAccounts()
  const { team, origin, first, second, place } = accounts
  const actor = await team.join('operator')
  const own = await team.connect({ origin, key: first.key }, { ownerId: actor.user.id, label: 'Own' })
  const shared = await team.connect({ origin, key: second.key }, { label: 'Shared' })
  const [shop, blog] = [await place('shop', own), await place('blog', shared)]
  expect(codeOf(await runOperation(actor, contract.ssl.set, { siteId: blog }, { status: '1' }))).toBe('ok')
  expect(codeOf(await runOperation(actor, contract.ssl.set, { siteId: shop }, { status: '1' }))).toBe('ok')
  expect([first, second].map(({ calls }) => calls.map(({ path }) => path))).toEqual([['/sites/11/setssl'], ['/sites/22/setssl']])
  const intents = await db().auditRow.findMany({ where: { stage: 'intent' }, orderBy: { seq: 'asc' } })
  expect(intents.map(({ objectId, connectionId }) => [objectId, connectionId])).toEqual([
    [blog, shared],
    [shop, own],
  ])
  // With its key refused, nobody can act on the site: the other key of that origin is not used instead.
  await db().connection.update({ where: { id: shared }, data: { state: 'rejected' } })
  expect(codeOf(await runOperation(actor, contract.sites.summary, { siteId: blog }))).toBe('key_rejected')
  expect(first.calls).toHaveLength(1)
})

test('own connections are used for a site before shared ones, then the one that listed it last', async () => {
  await using accounts = await openAccounts()
  const { team, origin, first, place } = accounts
  const [ann, bob] = [await team.join('operator'), await team.join('operator')]
  const shared = await team.connect({ origin, key: first.key }, { label: 'Shared' })
  const later = await team.connect({ origin, key: first.key }, { label: 'Shared later' })
  const own = await team.connect({ origin, key: first.key }, { label: 'Own', ownerId: ann.user.id })
  const siteId = await place('shop', own)
  const provenAt = new Date()
  const listing = [shared, later].map((connectionId, index) => ({ siteId, connectionId, provenAt: new Date(provenAt.getTime() + index) }))
  await db().siteOnConnection.createMany({ data: listing })
  for (const actor of [ann, bob]) await runOperation(actor, contract.ssl.set, { siteId }, { status: '1' })
  const intents = await db().auditRow.findMany({ where: { stage: 'intent' }, orderBy: { seq: 'asc' } })
  expect(intents.map(({ connectionId }) => connectionId)).toEqual([own, later])
})

test('a site disappears with the only connection that lists it, and a replaced key is used for none until it lists them', async () => {
  await using accounts = await openAccounts()
  const { team, origin, first, second, place } = accounts
  const owner = await team.join('owner')
  const [one, two] = [
    await team.connect({ origin, key: first.key }, { label: 'One' }),
    await team.connect({ origin, key: first.key }, { label: 'Two' }),
  ]
  const [shop, blog] = [await place('shop', one), await place('blog', two)]
  await db().siteOnConnection.create({ data: { siteId: blog, connectionId: one, provenAt: new Date() } })
  expect(await removeConnection(inputOf(owner, { connectionId: one, confirmName: 'One' }))).toMatchObject({ ok: true })
  const gone = async () => (await db().site.findMany({ where: { goneAt: { not: null } } })).map(({ id }) => id)
  expect(await gone()).toEqual([shop])
  const fields = { connectionId: two, apiKey: second.key, confirmName: 'Two', loseServers: 'on' }
  expect(await replaceKey(inputOf(owner, fields))).toMatchObject({ ok: true })
  expect(codeOf(await runOperation(owner, contract.sites.summary, { siteId: blog }))).toBe('not_found')
  expect(await gone()).toEqual([shop])
})
