/** What checks of a server leave behind: from a person's reads and the portal's own looks. */
import { afterEach, expect, test } from 'vitest'
import { contract } from '@/lib/contract'
import { serverStateOf } from '@/lib/contract/reachability'
import { db } from '@/lib/portal/base/db'
import { readFindings, readUnreachable, storeFindings } from '@/lib/portal/subjects/findings/findings'
import { beginGathering, endGathering } from '@/lib/portal/subjects/samples/store'
import { sampleRound } from '@/lib/portal/subjects/sampling/sampler'
import { findServer } from '@/lib/portal/subjects/servers/find'
import { listServers } from '@/lib/portal/subjects/servers/list'
import { runOperation } from '@/lib/portal/subjects/spine'
import { type Desk, openDesk } from '@/tests/portal/spine/desk'
import { forgetProcess } from '@/tests/support/reset-process'
import type { Fault } from '@/tests/support/upstream/faults'

afterEach(() => {
  endGathering()
  forgetProcess()
})

/** The server is installed. */
async function openInstalled(): Promise<Desk> {
  const desk = await openDesk('owner', { extensions: true })
  const server = desk.upstream.model.servers.get(desk.upstreamId)
  if (!server) throw new Error('The server is not there.')
  server.state = 'ready'
  forgetProcess()
  await listServers(desk.actor)
  return desk
}

const read = ({ actor, serverId }: Desk) => runOperation(actor, contract.servers.summary, { serverId })

const all = async ({ team }: Desk) => (await readFindings(team.id)).map(({ kind, detail }) => [kind, detail])

/** Without the security update that waits on each server of the test upstream. */
const kinds = async (desk: Desk) => (await all(desk)).filter(([kind]) => kind !== 'security_updates')

async function stateInList(desk: Desk): Promise<string> {
  const [server] = (await listServers(desk.actor)).servers
  if (!server) throw new Error('No server is listed.')
  return serverStateOf(server)
}

async function withFault<T>({ upstream }: Desk, fault: Fault, run: () => Promise<T>): Promise<T> {
  upstream.set(fault)
  try {
    return await run()
  } finally {
    upstream.clear()
  }
}

test('a check that fails at the server makes it unreachable everywhere, since the first failure, until a check succeeds', async () => {
  await using desk = await openInstalled()
  await read(desk)
  await withFault(desk, 'host-unreachable', () => read(desk))
  const unreachable = async () => (await readFindings(desk.team.id)).find(({ kind }) => kind === 'unreachable')
  const first = await unreachable()
  expect(first).toMatchObject({ kind: 'unreachable', detail: 'The server cannot be reached.' })
  await withFault(desk, 'host-unreachable', () => read(desk))
  expect((await unreachable())?.since).toEqual(first?.since)
  expect(await stateInList(desk)).toBe('unreachable')
  expect((await findServer(desk.actor, desk.serverId))?.reach).toMatchObject({ kind: 'unreachable', since: first?.since.toISOString() })
  await read(desk)
  expect([await kinds(desk), await stateInList(desk)]).toEqual([[], 'ready'])
})

test('why a server does not let Gatehouse in is stored with the finding, changes with it and goes with it', async () => {
  await using desk = await openInstalled()
  const server = { id: desk.serverId, teamId: desk.team.id }
  const seenAt = async () => null
  const causeNow = async () => (await readUnreachable(desk.team.id)).get(desk.serverId)
  await storeFindings(server, { unreachable: 'It said no.' }, { seenAt, code: 'login_failed' })
  expect(await causeNow()).toMatchObject({ kind: 'unreachable', cause: 'login_failed' })
  await storeFindings(server, { unreachable: 'It said no.' }, { seenAt, code: 'host_key_changed' })
  expect(await causeNow()).toMatchObject({ cause: 'host_key_changed' })
  await storeFindings(server, { unreachable: 'It said nothing.' }, { seenAt, code: 'unreachable' })
  expect(await causeNow()).not.toHaveProperty('cause')
  await storeFindings(server, { unreachable: null }, { seenAt, code: null })
  expect(await causeNow()).toBeUndefined()
})

test('a failing service or key makes no server unreachable: its servers are unknown until it works again', async () => {
  await using desk = await openInstalled()
  await read(desk)
  for (const fault of ['500-html', 'reset-before', 'html'] as const) {
    forgetProcess()
    await withFault(desk, fault, async () => {
      await read(desk)
      expect(await kinds(desk), fault).toEqual([])
      expect(await stateInList(desk), fault).toBe('unknown')
      const [listed] = (await listServers(desk.actor)).servers
      expect(listed?.reach, fault).toEqual({ kind: 'unknown', seenAt: expect.stringMatching(/^\d{4}-/) })
      expect((await findServer(desk.actor, desk.serverId))?.reach.kind, fault).toBe('unknown')
    })
  }
  await db().connection.updateMany({ data: { state: 'rejected' } })
  forgetProcess()
  expect((await findServer(desk.actor, desk.serverId))?.reach.kind).toBe('unknown')
  expect(await stateInList(desk)).toBe('ready')
})

test('the sampler finds failed units, failing certificates, an inactive firewall and a pending reboot, and when they are over', async () => {
  await using desk = await openInstalled()
  const server = desk.upstream.model.servers.get(desk.upstreamId)
  if (!server) throw new Error('The server is not there.')
  const look = async () => {
    endGathering()
    beginGathering()
    await sampleRound(1000, new AbortController().signal)
  }
  const failing_certificates = ['b.example', 'a.example']
  const faults = { failed_units: ['cron.service', 'nginx.service'], reboot_required: true, firewall: 'off' }
  server.found = { ...faults, failing_certificates, foreign_links: ['a.example: media'], outdated_sites: ['d.example', 'c.example'] }
  await look()
  expect(await kinds(desk)).toEqual([
    ['failed_units', 'cron.service, nginx.service'],
    ['failing_certificates', 'a.example, b.example'],
    ['firewall_off', ''],
    ['foreign_links', 'a.example: media'],
    ['outdated_sites', 'c.example, d.example'],
    ['reboot_required', ''],
  ])
  // Where a service does not say, nothing is concluded.
  server.found = {
    failed_units: undefined,
    failing_certificates: undefined,
    foreign_links: undefined,
    outdated_sites: undefined,
    reboot_required: undefined,
    firewall: undefined,
  }
  await look()
  expect(await kinds(desk)).toHaveLength(6)
  const fine = { failed_units: [], failing_certificates: [], foreign_links: [], outdated_sites: [] }
  server.found = { ...fine, reboot_required: false, firewall: '' }
  await look()
  expect(await kinds(desk)).toEqual([])
})

test('switching the firewall updates its finding immediately, in both directions', async () => {
  await using desk = await openInstalled()
  const toggle = (status: string) => runOperation(desk.actor, contract.firewall.toggle, { serverId: desk.serverId }, { status })
  await toggle('0')
  expect(await kinds(desk)).toEqual([['firewall_off', '']])
  await toggle('1')
  expect(await kinds(desk)).toEqual([])
})

test('a server that is not installed, or gone, has no findings, because it is not checked again', async () => {
  await using desk = await openInstalled()
  await withFault(desk, 'host-unreachable', () => read(desk))
  await db().server.updateMany({ data: { state: 'new' } })
  expect(await kinds(desk)).toEqual([])
  await db().finding.deleteMany()
  await withFault(desk, 'host-unreachable', () => read(desk))
  await db().server.updateMany({ data: { state: 'ready' } })
  expect(await kinds(desk)).toEqual([])
})

test('security updates that wait are a finding with their number, since they were first seen, until none waits', async () => {
  await using desk = await openInstalled()
  const server = desk.upstream.model.servers.get(desk.upstreamId)
  if (!server) throw new Error('The server is not there.')
  const waiting = async (security_updates: string) => {
    server.summary = { security_updates }
    await read(desk)
    return (await readFindings(desk.team.id)).find(({ kind }) => kind === 'security_updates')
  }
  const first = await waiting('2')
  expect(first).toMatchObject({ detail: '2' })
  expect(await waiting('3')).toMatchObject({ detail: '3', since: first?.since })
  // What says no number says nothing.
  expect(await waiting('some')).toMatchObject({ detail: '3' })
  expect(await waiting('0')).toBeUndefined()
})
