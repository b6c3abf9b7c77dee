import { expect, test } from 'vitest'
import { sealCredential } from '@/lib/portal/custody/credential'
import { ensureBundledConnection } from '@/lib/portal/subjects/connections/bundled'
import { noteConnections } from '@/lib/portal/subjects/connections/start-notes'
import { openPortalDatabase, type PortalDatabase } from '@/tests/support/portal-database'

/** A team, the addresses it is connected to, and with `bundled` the service that comes with Gatehouse. */
async function connect({ db }: PortalDatabase, { addresses = [], bundled = false }: { addresses?: string[]; bundled?: boolean }) {
  await db.team.create({ data: { id: 't1', name: 'Team' } })
  if (bundled) await ensureBundledConnection('t1', async () => 'gh_key-of-the-bundled-one')
  for (const address of addresses) {
    const { origin, pathname, host } = new URL(address)
    const place = { origin, basePath: pathname.replace(/\/$/, ''), kind: 'foreign' as const, label: host }
    const identity = { id: host, teamId: 't1', ownerId: null, ...place, secretVersion: 1 }
    const sealed = await sealCredential({ connection: identity, key: 'gh_key-of-another-one' })
    await db.connection.create({ data: { ...identity, state: 'working', ...sealed } })
  }
}

const without = { ALLOW_PRIVATE_UPSTREAMS: '' }

test('UPSTREAM_URL set after set-up: the start names what does not answer and where to connect the other service', async () => {
  await using portal = await openPortalDatabase({ environment: { UPSTREAM_URL: 'http://10.0.0.7:8080/api/' } })
  await connect(portal, { bundled: true, addresses: ['https://panel.example.org/'] })
  expect(await noteConnections()).toEqual([
    expect.stringMatching(/^While UPSTREAM_URL is set, the bundled service is not started, .* “Bundled service” are unavailable\./),
    expect.stringMatching(/^No connection points to http:\/\/10\.0\.0\.7:8080\/api yet\. .*Connections page\.$/),
  ])
})

test('UPSTREAM_URL removed: the start names the connection that only this setting had allowed', async () => {
  await using portal = await openPortalDatabase({ environment: without })
  await connect(portal, { bundled: true, addresses: ['http://10.0.0.7:8080/api', 'https://panel.example.org/'] })
  expect(await noteConnections()).toEqual([
    '“10.0.0.7:8080” is no longer called: http://10.0.0.7:8080/api is private or plain http. Add its host to ALLOW_PRIVATE_UPSTREAMS.',
  ])
})

test.each([
  ['with the bundled service alone', without, { bundled: true }],
  [
    'with the one of UPSTREAM_URL alone',
    { ...without, UPSTREAM_URL: 'http://10.0.0.7:8080/api' },
    { addresses: ['http://10.0.0.7:8080/api'] },
  ],
  ['with an allowed one', { ALLOW_PRIVATE_UPSTREAMS: '10.0.0.7' }, { bundled: true, addresses: ['http://10.0.0.7:8080/api'] }],
])('%s there is nothing to say', async (_, environment, connections) => {
  await using portal = await openPortalDatabase({ environment })
  await connect(portal, connections)
  expect(await noteConnections()).toEqual([])
})
