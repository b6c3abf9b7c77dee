import { expect, test } from 'vitest'
import { contract } from '@/lib/contract'
import { db } from '@/lib/portal/base/db'
import { recheckActor } from '@/lib/portal/identity/actor'
import { forgetListing } from '@/lib/portal/subjects/listing/cache'
import { listServers } from '@/lib/portal/subjects/servers/list'
import { runOperation } from '@/lib/portal/subjects/spine'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { createTeam } from '@/tests/support/portal-team'
import { startUpstream } from '@/tests/support/upstream/upstream'

test.each(['unauthorized', 'forbidden'] as const)(
  'security 37: a key answered %s is marked and its owner told; no storm, no sign-out, and other keys work on',
  async (fault) => {
    await using _ = await openPortalDatabase()
    await using refusing = await startUpstream()
    await using other = await startUpstream()
    refusing.addServer({ name: 'alpha' })
    other.addServer({ name: 'beta' })
    const team = await createTeam()
    const [ada, bea] = [await team.join('operator'), await team.join('operator')]
    const refusedId = await team.connect(refusing, { ownerId: ada.user.id, label: 'Her own' })
    const othersId = await team.connect(other)
    const alpha = (await listServers(ada)).servers.find(({ name }) => name === 'alpha')?.id ?? ''
    refusing.set(fault)
    await runOperation(ada, contract.servers.summary, { serverId: alpha })
    const before = refusing.calls.length
    for (let n = 0; n < 3; n += 1) {
      for (const id of [refusedId, othersId]) forgetListing(id)
      const mine = await listServers(ada)
      const states = Object.fromEntries(mine.connections.map(({ label, state, problem }) => [label, [state, problem?.code ?? null]]))
      expect(states).toEqual({ 'Her own': ['rejected', 'key_rejected'], 'Test service': ['working', null] })
      expect((await listServers(bea)).connections.map(({ label }) => label)).toEqual(['Test service'])
      await runOperation(ada, contract.servers.summary, { serverId: alpha })
    }
    // The list looks whether the key works again, at most once in a minute unless it is made to forget; operations never use it.
    expect(refusing.calls.slice(before).filter(({ path }) => path !== '/servers/')).toEqual([])
    expect(refusing.calls.length - before).toBeLessThanOrEqual(3)
    const polled = refusing.calls.length
    for (let n = 0; n < 5; n += 1) await listServers(ada)
    expect(refusing.calls.length).toBe(polled)
    expect(await recheckActor(ada.sessionId)).not.toBeNull()
    const beta = (await listServers(bea)).servers.find(({ name }) => name === 'beta')?.id ?? ''
    expect(await runOperation(bea, contract.servers.summary, { serverId: beta })).toMatchObject({ ok: true })
    expect(await db().connection.findUnique({ where: { id: refusedId } })).toMatchObject({ state: 'rejected' })
  },
)
