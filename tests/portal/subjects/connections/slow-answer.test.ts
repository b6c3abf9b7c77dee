/** A service that answers only after the member's rights or its connection have changed: nothing of the answer is stored any more. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { db } from '@/lib/portal/base/db'
import { addConnection } from '@/lib/portal/subjects/connections/add'
import { replaceKey } from '@/lib/portal/subjects/connections/replace-key'
import { listServers } from '@/lib/portal/subjects/servers/list'
import { inputOf } from '@/tests/support/own-input'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { createTeam } from '@/tests/support/portal-team'
import { startUpstream, type Upstream } from '@/tests/support/upstream/upstream'

/** Passes calls on, after `meanwhile`. */
async function startSlow(upstream: Upstream, meanwhile: () => Promise<unknown>) {
  const server = createServer(async (request, response) => {
    await meanwhile()
    const answer = await fetch(`${upstream.origin}${request.url}`, { headers: { authorization: request.headers.authorization ?? '' } })
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { origin: `http://127.0.0.1:${port}`, [Symbol.asyncDispose]: async () => void server.close() }
}

const losses = [
  ['the role', () => db().membership.updateMany({ data: { role: 'viewer' } }), 'forbidden'],
  ['the membership', () => db().membership.deleteMany(), 'signed_out'],
  ['the session', () => db().session.updateMany({ data: { revokedAt: new Date() } }), 'signed_out'],
] as const

test.each(losses)(
  'security 16: %s lost while the service keeps an answer back, no connection and no key is stored',
  async (_, lose, code) => {
    await using __ = await openPortalDatabase()
    await using upstream = await startUpstream()
    await using slow = await startSlow(upstream, lose)
    const team = await createTeam()
    const fields = { label: 'Second', keeper: 'own', apiKey: upstream.key, address: slow.origin }
    expect(await addConnection(inputOf(await team.join('operator'), fields))).toMatchObject({ ok: false, problem: { code } })
    expect(await db().connection.count()).toBe(0)
    const actor = await team.join('operator')
    const connectionId = await team.connect({ origin: slow.origin, key: 'the-first-key-of-all' }, { label: 'Own', ownerId: actor.user.id })
    const before = await db().connection.findFirstOrThrow()
    const replaced = await replaceKey(inputOf(actor, { connectionId, apiKey: upstream.key, confirmName: 'Own' }))
    expect(replaced).toMatchObject({ ok: false, problem: { code } })
    expect(await db().connection.findFirstOrThrow()).toEqual(before)
  },
)

test('a connection that is removed while its service keeps the list back leaves the lists of the others as they are', async () => {
  await using _ = await openPortalDatabase()
  await using kept = await startUpstream()
  await using upstream = await startUpstream()
  kept.addServer({ name: 'alpha' })
  upstream.addServer({ name: 'beta' })
  await using slow = await startSlow(upstream, () => db().connection.deleteMany({ where: { label: 'Slow' } }))
  const team = await createTeam()
  const actor = await team.join('operator')
  await team.connect(kept, { label: 'Kept' })
  await team.connect({ origin: slow.origin, key: upstream.key }, { label: 'Slow' })
  const { servers, connections } = await listServers(actor)
  expect([servers.map(({ name }) => name), connections.map(({ label }) => label)]).toEqual([['alpha'], ['Kept']])
  expect(await db().server.count()).toBe(1)
})
