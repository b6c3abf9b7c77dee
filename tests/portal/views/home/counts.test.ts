/** The numbers of servers that the sidebar, Home, the list with its filters and the palette show: equal at any time. */
import { afterEach, expect, test } from 'vitest'
import { countFacets, indexServers } from '@/app/(portal)/servers/list-rows'
import { contract } from '@/lib/contract'
import { db } from '@/lib/portal/base/db'
import type { Person as Actor } from '@/lib/portal/identity/actor'
import { listServers } from '@/lib/portal/subjects/servers/list'
import { runOperation } from '@/lib/portal/subjects/spine'
import { readCounts } from '@/lib/portal/views/home/counts'
import { readHome } from '@/lib/portal/views/home/home'
import { readPalette } from '@/lib/portal/views/palette/entries'
import { type Desk, openDesk } from '@/tests/portal/spine/desk'
import { signedInLately } from '@/tests/support/own-input'
import { forgetProcess } from '@/tests/support/reset-process'

afterEach(forgetProcess)

/** As the four places would show them now. */
async function countAll(actor: Actor) {
  forgetProcess()
  const home = await readHome(actor, 5_000)
  const { servers } = await listServers(actor)
  const filter = Object.fromEntries(countFacets(indexServers(servers)).state.map(({ value, count }) => [value, count]))
  const counts = await readCounts(actor)
  expect(home.servers).toEqual({ all: servers.length, states: filter })
  expect([counts.servers, (await readPalette(actor)).servers.length]).toEqual([servers.length, servers.length])
  return { all: servers.length, ...filter }
}

/** Servers of each state, as a fill of the sandbox gives them. */
function fill({ upstream }: Desk, count: number): void {
  for (let n = 0; n < count; n += 1) {
    upstream.addServer({ name: `n-${n}`, provider: 'sandbox', state: n % 12 === 5 ? 'new' : n % 25 === 9 ? 'failed' : 'ready' })
  }
}

test('after a fill, findings, a running job, a deletion and with an unreachable service, every page shows the same counts', async () => {
  await using desk = await openDesk('owner', { extensions: true })
  const { actor, upstream, team } = desk
  expect(await countAll(actor)).toEqual({ all: 1, new: 1 })
  fill(desk, 300)
  expect(await countAll(actor)).toEqual({ all: 301, new: 26, failed: 11, ready: 264 })

  const [down, busy, gone] = await db().server.findMany({ where: { state: 'ready' }, orderBy: { id: 'asc' }, take: 3 })
  const now = new Date()
  await db().finding.create({ data: { serverId: down?.id ?? '', kind: 'unreachable', since: now, detail: 'It is off.' } })
  const job = { id: 'j'.repeat(22), teamId: team.id, operation: 'servers.install', targetName: '', lease: '', heardAt: now }
  await db().job.create({ data: { ...job, serverId: busy?.id ?? '', state: 'running' } })
  const options = { confirmName: gone?.name ?? '', stepUp: signedInLately }
  await runOperation(actor, contract.servers.delete, { serverId: gone?.id ?? '' }, {}, options)
  expect(await countAll(actor)).toEqual({ all: 300, new: 26, failed: 11, ready: 261, unreachable: 1, installing: 1 })

  upstream.set('reset-before')
  expect(await countAll(actor)).toEqual({ all: 300, unknown: 300 })
})

test('problems are counted by server, like the list’s filter that their line links to', async () => {
  await using desk = await openDesk('owner', { extensions: true })
  fill(desk, 120)
  forgetProcess()
  const home = await readHome(desk.actor, 5_000)
  const { new: fresh = 0, failed = 0 } = home.servers.states
  expect(home.attentionInAll).toBe(fresh + failed)
  expect(home.attention.find(({ key }) => key === 'group Not installed')).toMatchObject({ count: fresh, href: '/servers?state=new' })
})
