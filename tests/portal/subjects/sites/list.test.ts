/** The list of sites over all connections: what is stored of it, and how it changes. */
import { expect, test } from 'vitest'
import { mayAtOf } from '@/app/_shared/batches/left-out'
import { db } from '@/lib/portal/base/db'
import { listOffersEverywhere } from '@/lib/portal/batches/offers'
import { changeLabels } from '@/lib/portal/subjects/labels/change'
import { forgetListing } from '@/lib/portal/subjects/listing/cache'
import { listServers } from '@/lib/portal/subjects/servers/list'
import { findSite } from '@/lib/portal/subjects/sites/find'
import { answerSitesSince, findKnownSites, listSites } from '@/lib/portal/subjects/sites/list'
import { readPalette } from '@/lib/portal/views/palette/entries'
import { measureStall } from '@/tests/support/longest-stall'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { createTeam } from '@/tests/support/portal-team'
import { startUpstream } from '@/tests/support/upstream/upstream'

const domainsOf = ({ sites }: { sites: readonly { domain: string }[] }) => sites.map(({ domain }) => domain)

test('sites are listed over all connections, change and go with the list, beside the servers of the same connections', async () => {
  await using _ = await openPortalDatabase()
  await using one = await startUpstream()
  await using two = await startUpstream()
  const team = await createTeam()
  const actor = await team.join('viewer')
  await team.connect(one, { label: 'One' })
  const connectionId = await team.connect(two, { label: 'Two' })
  for (const upstream of [one, two]) upstream.addServer()
  one.addSite({ domain: 'a.example' })
  const id = two.addSite({ domain: 'b.example' })
  two.addSite({ domain: 'c.example' })
  expect(domainsOf(await listSites(actor))).toEqual(['a.example', 'b.example', 'c.example'])
  expect((await listServers(actor)).servers).toHaveLength(2)
  // Each of the two lists is read at most once in 2 s.
  await listSites(actor)
  expect(two.callsTo('GET', '/sites')).toHaveLength(1)
  expect(two.callsTo('GET', '/servers/')).toHaveLength(1)

  two.model.sites.delete(id)
  two.addSite({ domain: 'd.example' })
  forgetListing(connectionId)
  expect(domainsOf(await listSites(actor))).toEqual(['a.example', 'c.example', 'd.example'])

  two.set('reset-before')
  forgetListing(connectionId)
  const list = await listSites(actor)
  expect(domainsOf(list)).toEqual(['a.example', 'c.example', 'd.example'])
  const [well, failing] = ['One', 'Two'].map((label) => list.connections.find((row) => row.label === label))
  expect([well?.problem, failing?.problem?.code]).toEqual([null, 'upstream_unreachable'])
  expect(failing?.listedAt).not.toBeNull()
  expect((await findKnownSites(actor))?.connections).toEqual(list.connections)
})

test('everything that a service lists of a site is stored, and its server is found whichever list comes first', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream({ extensions: true })
  upstream.addServer({ name: 'web-01', host: '192.0.2.10', listed: { ip: '192.0.2.10' } })
  upstream.addSite({
    domain: 'a.example',
    listed: {
      state: 'ready',
      ssl: true,
      expires: '2027-02-12T10:00:00Z',
      staging: 'staging.a.example',
      php: '8.2',
      app: 'WordPress',
      app_version: '6.6.1',
      aliases: ['www.a.example', 'shop\u202e.example'],
      backup_at: '2026-11-25T02:14:00Z',
    },
  })
  upstream.addSite({ domain: 'b\u202e.example', listed: { state: 'down', ssl: false, ip: '198.51.100.7', php: '', backup_at: '' } })
  upstream.addSite({ domain: 'c.example', server: 'unknown-1', listed: { state: 'surprising', usage: '12 GB', ssl: 'yes' } })
  const team = await createTeam()
  const actor = await team.join('viewer')
  const connectionId = await team.connect(upstream, { label: 'Ours' })
  expect((await listSites(actor)).sites[0]).toMatchObject({ serverId: null, server: 'srv-1', points: '' })
  await listServers(actor)
  forgetListing(connectionId)
  const { sites } = await listSites(actor)
  const server = { serverId: (await db().server.findFirst())?.id, server: 'web-01' }
  const same = { usage: '104857600', mx: 'mail.example.org', connectionLabel: 'Ours' }
  expect(sites).toMatchObject([
    {
      ...same,
      ...server,
      domain: 'a.example',
      address: '192.0.2.10',
      state: 'ready',
      ssl: 'on',
      expires: '2027-02-12T10:00:00Z',
      staging: 'staging.a.example',
      php: '8.2',
      app: 'WordPress',
      appVersion: '6.6.1',
      aliases: ['www.a.example', 'shop[U+202E].example'],
      backupAt: '2026-11-25T02:14:00.000Z',
      points: 'yes',
    },
    {
      ...same,
      ...server,
      domain: 'b[U+202E].example',
      address: '198.51.100.7',
      state: 'down',
      ssl: 'off',
      expires: '',
      php: '',
      backupAt: 'none',
      points: 'no',
    },
    {
      domain: 'c.example',
      serverId: null,
      server: 'unknown-1',
      usage: '12 GB',
      state: '',
      ssl: '',
      staging: '',
      php: '',
      app: '',
      appVersion: '',
      backupAt: '',
      points: '',
    },
  ])
  expect(await findSite(actor, sites[0]?.id ?? '')).toMatchObject({ name: 'a.example', ...server, extensions: true, state: 'ready' })

  // A state that cannot be read again is not known; a service that reports none has none to lose.
  upstream.set('reset-before')
  forgetListing(connectionId)
  expect((await listSites(actor)).sites.map(({ state }) => state)).toEqual(['unknown', 'unknown', ''])
  expect((await findSite(actor, sites[0]?.id ?? ''))?.state).toBe('unknown')
})

test('a row whose details cannot be read is listed without them, until the next list stores them again', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream()
  upstream.addSite({ domain: 'a.example' })
  const team = await createTeam()
  const actor = await team.join('viewer')
  const connectionId = await team.connect(upstream)
  const listed = {
    usage: '104857600',
    address: '192.0.2.10',
    mx: 'mail.example.org',
    staging: '',
    php: '',
    app: '',
    appVersion: '',
    backupAt: '',
  }
  const [site] = (await listSites(actor)).sites
  expect(site).toMatchObject(listed)
  for (const [details, left] of [
    ['no JSON', { usage: '', address: '', mx: '', staging: '', php: '', app: '', appVersion: '', aliases: [], backupAt: '' }],
    [
      '{"usage":["1"],"mx":"mail"}',
      { usage: '', address: '', mx: 'mail', staging: '', php: '', app: '', appVersion: '', aliases: [], backupAt: '' },
    ],
  ] as const) {
    await db().site.updateMany({ data: { details } })
    expect((await findKnownSites(actor))?.sites).toEqual([{ ...site, ...left }])
    expect(await findSite(actor, site?.id ?? '')).toMatchObject(left)
  }
  forgetListing(connectionId)
  expect((await listSites(actor)).sites).toEqual([site])
})

test('a site of another member’s own connection is in no list, and its page is not found', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream()
  upstream.addServer()
  upstream.addSite({ domain: 'hers.example' })
  const team = await createTeam()
  const [ann, bob, eve] = [await team.join('operator'), await team.join('operator'), await (await createTeam('Other')).join('owner')]
  await team.connect(upstream, { ownerId: ann.user.id })
  const id = (await listSites(ann)).sites[0]?.id ?? ''
  expect(await findSite(ann, id)).toMatchObject({ domain: 'hers.example' })
  for (const other of [bob, eve]) {
    expect(domainsOf(await listSites(other))).toEqual([])
    expect(await findSite(other, id)).toBeNull()
    expect((await readPalette(other)).sites).toEqual([])
  }
})

test('10,000 sites are listed with one call and without holding up the portal', { timeout: 120_000, retry: 1 }, async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream({ extensions: true })
  upstream.addServer()
  for (let index = 0; index < 10_000; index += 1) upstream.addSite({ domain: `site-${index}.example`, listed: { state: 'ready' } })
  const team = await createTeam()
  const actor = await team.join('viewer')
  const connectionId = await team.connect(upstream)
  const first = await listSites(actor)
  expect(first.sites).toHaveLength(10_000)
  forgetListing(connectionId)
  const { result, stalled } = await measureStall(async () => answerSitesSince(await listSites(actor), null))
  const { version } = JSON.parse(result)
  expect(JSON.parse(await answerSitesSince(await listSites(actor), version))).toEqual({ version, same: true })
  expect(upstream.callsTo('GET', '/sites')).toHaveLength(2)
  // The upstream runs in the same process, and building its answer counts as well.
  expect(stalled).toBeLessThan(0.5)
})

test('servers of the same name on two connections are two in the list of sites and in the palette', async () => {
  await using _ = await openPortalDatabase()
  await using one = await startUpstream()
  await using two = await startUpstream()
  const team = await createTeam()
  const actor = await team.join('operator')
  for (const [upstream, label] of [
    [one, 'First'],
    [two, 'Second'],
  ] as const) {
    upstream.addServer({ name: 'web' })
    upstream.addSite({ domain: `${label.toLowerCase()}.example` })
    await team.connect(upstream, { label })
  }
  const only = one.addServer({ name: 'mail' })
  one.addSite({ domain: 'third.example', server: only })
  await listServers(actor)
  const { sites } = await listSites(actor)
  const shown = { 'first.example': 'web · First', 'second.example': 'web · Second', 'third.example': 'mail' }
  expect(Object.fromEntries(sites.map(({ domain, server }) => [domain, server]))).toEqual(shown)
  const palette = await readPalette(actor)
  expect(palette.servers.map(({ name }) => name)).toEqual(['mail', 'web · First', 'web · Second'])
  expect(Object.fromEntries(palette.sites.map(({ domain, server }) => [domain, server]))).toEqual(shown)
})

test('members who may change a site add its labels, which are listed at once', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream({ extensions: true })
  upstream.addSite({ domain: 'a.example' })
  const team = await createTeam()
  const [operator, viewer] = [await team.join('operator'), await team.join('viewer')]
  await team.connect(upstream)
  const [site] = (await listSites(operator)).sites
  const id = site?.id ?? ''
  expect(site?.labels).toEqual([])
  const change = { change: 'add', subjectKind: 'site', subjectIds: [id], label: 'Client: Northwind' } as const
  expect(await changeLabels(viewer, change)).toMatchObject({ ok: false, problem: { code: 'forbidden' } })
  expect(await changeLabels(operator, change)).toMatchObject({ ok: true, data: { label: 'client: northwind', changed: 1 } })
  expect((await listSites(viewer)).sites[0]?.labels).toEqual(['client: northwind'])
  expect(await findSite(viewer, id)).toMatchObject({ labels: ['client: northwind'] })
  const mayLabel = async (actor: typeof viewer) => mayAtOf((await listOffersEverywhere(actor, 'site')) ?? [])('sites.configure', id)
  expect([await mayLabel(operator), await mayLabel(viewer)]).toEqual([true, false])
})
