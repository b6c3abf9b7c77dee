/** Every operation of the contract by those whose rights come from grants and loans: nothing is sent for whoever has no access. */
import { expect, test } from 'vitest'
import { contract, operations } from '@/lib/contract'
import type { Operation } from '@/lib/contract/operation'
import { decide } from '@/lib/portal/access/decide'
import { targetKindOf } from '@/lib/portal/access/grants/needs'
import { toColumns, toScopeRow } from '@/lib/portal/access/grants/stored'
import { db } from '@/lib/portal/base/db'
import { createOpaqueId } from '@/lib/portal/base/opaque-id'
import type { Person } from '@/lib/portal/identity/actor'
import { listServers } from '@/lib/portal/subjects/servers/list'
import { listSites } from '@/lib/portal/subjects/sites/list'
import { runOperation } from '@/lib/portal/subjects/spine'
import { startUpstream } from '@/tests/support/upstream/upstream'
import { give, openScene } from './grants/scene'

const whole = { subjects: 'all', effects: ['read', 'export', 'change', 'destroy'], root: true } as const
const work = { ...whole, effects: [...whole.effects] }

type Place = { serverId: string; siteId: string; server: string; site: string }

/** A server with a site that nothing but one more connection lists. */
async function addPlace({ team }: Awaited<ReturnType<typeof openScene>>, name: string, keeper: Person, ownerId?: string) {
  const upstream = await startUpstream({ extensions: true })
  upstream.addSite({ domain: `${name}.example`, server: upstream.addServer({ name }) })
  const connectionId = await team.connect(upstream, ownerId === undefined ? {} : { ownerId })
  const [{ servers }, { sites }] = [await listServers(keeper), await listSites(keeper)]
  const place = {
    serverId: servers.find((row) => row.name === name)?.id ?? '',
    siteId: sites.find((row) => row.domain === `${name}.example`)?.id ?? '',
    server: name,
    site: `${name}.example`,
  }
  return { upstream, connectionId, place }
}

async function lendEverything(teamId: string, connectionId: string, userId: string): Promise<void> {
  const row = { id: createOpaqueId(), teamId, connectionId, userId, validFrom: new Date(0), ...toColumns({ ...work, operations: [] }) }
  await db().loan.create({ data: { ...row, scopes: { create: toScopeRow({ kind: 'everything' }) } } })
}

async function openActors() {
  const scene = await openScene()
  const { team, owner, idOf } = scene
  const lender = await team.join('operator')
  const lent = await addPlace(scene, 'lent-1', lender, lender.user.id)
  const frozen = await addPlace(scene, 'frozen-1', owner)
  await db().connection.update({ where: { id: frozen.connectionId }, data: { frozenAt: new Date(), frozenById: owner.user.id } })
  const place: Place = {
    serverId: idOf('heron-1'),
    siteId: idOf('shop.heron.example'),
    server: 'heron-1',
    site: 'shop.heron.example',
  }
  const join = () => team.join('guest')
  const people = {
    guest: await join(),
    elsewhere: await join(),
    expired: await join(),
    granted: await join(),
    borrower: await join(),
    frozen: await join(),
  }
  const over = (serverId: string) => ({ kind: 'server', id: serverId }) as const
  await give(people.elsewhere, over(idOf('otter-1')), work)
  await give(people.expired, { kind: 'everything' }, { ...work, until: new Date(Date.now() - 1) })
  await give(people.granted, over(place.serverId), work)
  await give(people.borrower, over(lent.place.serverId), work)
  await give(people.frozen, over(frozen.place.serverId), work)
  await lendEverything(team.id, lent.connectionId, people.borrower.user.id)
  const upstreams = [scene.upstream, lent.upstream, frozen.upstream]
  return {
    people,
    places: { place, lent: lent.place, frozen: frozen.place },
    /** What was asked of all services so far. */
    sent: () => upstreams.flatMap(({ calls }) => calls).length,
    [Symbol.asyncDispose]: async () => {
      await Promise.all([lent, frozen].map(({ upstream }) => upstream[Symbol.asyncDispose]()))
      await scene[Symbol.asyncDispose]()
    },
  }
}

/** Those that act on a server, a site, or a server that a new site is made on. */
const atPlaces = operations.filter((operation) => targetKindOf(operation) !== 'connection' || operation.id === 'sites.create')

const targetOf = (operation: Operation, { serverId, siteId }: Place) => (targetKindOf(operation) === 'site' ? { siteId } : { serverId })

test(`security 23: each of ${operations.length} operations, for a guest, elsewhere, after the end, granted, lent and frozen`, async () => {
  await using opened = await openActors()
  const { people, places, sent } = opened
  const before = sent()
  const answered = async (person: Person, operation: Operation, at: Place) => {
    const confirmName = targetKindOf(operation) === 'site' ? at.site : at.server
    const outcome = await runOperation(person, operation, targetOf(operation, at), {}, { confirmName })
    return outcome.ok ? 'ok' : outcome.problem.code
  }
  const may = async (person: Person, operation: Operation, at?: Place) => {
    const decided = await decide(person, operation, at ? targetOf(operation, at) : {})
    // What has to be typed or chosen is asked only of those who may do it.
    return decided.ok || decided.problem.code === 'invalid' ? 'may' : decided.problem.code
  }
  for (const operation of atPlaces) {
    const { guest, elsewhere, expired, granted, borrower, frozen } = people
    for (const [who, person] of Object.entries({ guest, elsewhere, expired }))
      expect([operation.id, who, await answered(person, operation, places.place)]).toEqual([operation.id, who, 'not_found'])
    const refused = await answered(frozen, operation, places.frozen)
    expect([operation.id, refused === 'key_frozen' || refused === 'invalid']).toEqual([operation.id, true])
    expect([operation.id, await may(granted, operation, places.place)]).toEqual([operation.id, 'may'])
    expect([operation.id, await may(borrower, operation, places.lent)]).toEqual([operation.id, 'may'])
    // Nobody has more than this one place.
    expect([operation.id, await may(granted, operation, places.lent)]).toEqual([operation.id, 'not_found'])
    expect([operation.id, await may(borrower, operation, places.place)]).toEqual([operation.id, 'not_found'])
  }
  // On a service as a whole act only lists, which are filtered, and what adds a server or deletes copies, which needs access to everything.
  const others = operations.filter((operation) => !atPlaces.includes(operation))
  expect(others.map(({ id }) => id).sort()).toEqual(['copies.prune', 'servers.create', 'servers.list', 'sites.list'])
  // Through a connection that is lent over everything, the whole service is listed, and the answer filtered.
  const lists = {
    guest: 'not_found',
    elsewhere: 'may',
    expired: 'not_found',
    granted: 'may',
    borrower: 'may',
    frozen: 'key_frozen',
  }
  for (const [who, person] of Object.entries(people)) {
    for (const operation of [contract.servers.create, contract.copies.prune])
      expect([who, operation.id, (await decide(person, operation, {})).ok]).toEqual([who, operation.id, false])
  }
  for (const operation of [contract.servers.list, contract.sites.list]) {
    const found = Object.entries(people).map(async ([who, person]) => [who, await may(person, operation)] as const)
    expect(Object.fromEntries(await Promise.all(found))).toEqual(lists)
  }
  expect(sent()).toBe(before)
}, 120_000)
