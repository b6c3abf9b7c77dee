/** Lists that cannot be read show nothing about what is in them. */
import { expect, test } from 'vitest'
import { contract } from '@/lib/contract'
import { db } from '@/lib/portal/base/db'
import { forgetListing } from '@/lib/portal/subjects/listing/cache'
import { listServers } from '@/lib/portal/subjects/servers/list'
import { listSites } from '@/lib/portal/subjects/sites/list'
import { runOperation } from '@/lib/portal/subjects/spine'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { createTeam } from '@/tests/support/portal-team'
import { startUpstream } from '@/tests/support/upstream/upstream'

async function openScene() {
  const database = await openPortalDatabase()
  const upstream = await startUpstream()
  upstream.addServer({ name: 'alpha' })
  upstream.addSite({ domain: 'first.example' })
  const actor = await (async (team) => {
    await team.connect(upstream)
    return team.join('operator')
  })(await createTeam())
  const list = async () => {
    for (const { id } of await db().connection.findMany()) forgetListing(id)
    const [{ servers, connections }, { sites }] = [await listServers(actor), await listSites(actor)]
    return { servers: servers.map(({ name }) => name), sites: sites.map(({ domain }) => domain), problem: connections[0]?.problem?.code }
  }
  return {
    upstream,
    actor,
    list,
    async [Symbol.asyncDispose]() {
      await upstream[Symbol.asyncDispose]()
      await database[Symbol.asyncDispose]()
    },
  }
}

const all = { servers: ['alpha'], sites: ['first.example'] }

test.each(['install-success', 'wrong-schema', 'success-absent'] as const)(
  'a service that forgets its lists, or sends something else (%s), makes nothing vanish',
  async (fault) => {
    await using scene = await openScene()
    const { upstream, list } = scene
    expect(await list()).toEqual({ ...all, problem: undefined })
    upstream.set(fault)
    expect(await list()).toEqual({ ...all, problem: 'upstream_not_understood' })
    expect([await db().server.count({ where: { goneAt: null } }), await db().site.count({ where: { goneAt: null } })]).toEqual([1, 1])
    upstream.clear()
    expect(await list()).toEqual({ ...all, problem: undefined })
  },
)

test('a service that wraps its answers is read as any other', async () => {
  await using scene = await openScene()
  const { upstream, actor, list } = scene
  upstream.set('wrapped')
  expect(await list()).toEqual({ ...all, problem: undefined })
  const serverId = (await listServers(actor)).servers[0]?.id ?? ''
  expect(await runOperation(actor, contract.servers.summary, { serverId })).toMatchObject({ ok: true, data: { item: [{ name: 'alpha' }] } })
  expect(await runOperation(actor, contract.cron.delete, { serverId }, { line: '7' })).toMatchObject({ ok: true })
  upstream.model.servers.clear()
  upstream.model.sites.clear()
  expect(await list()).toEqual({ servers: [], sites: [], problem: undefined })
})
