import { once } from 'node:events'
import { createServer } from 'node:https'
import { expect, test } from 'vitest'
import { db } from '@/lib/portal/base/db'
import type { Person as Actor } from '@/lib/portal/identity/actor'
import { addConnection } from '@/lib/portal/subjects/connections/add'
import { listConnections } from '@/lib/portal/subjects/connections/list'
import { listServers } from '@/lib/portal/subjects/servers/list'
import { getSettings } from '@/lib/settings/settings'
import { createAuthority } from '@/tests/portal/upstream/certificates'
import { findFreePort } from '@/tests/support/gatehouse-process'
import { inputOf } from '@/tests/support/own-input'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { createTeam } from '@/tests/support/portal-team'
import { disguisesOf } from '@/tests/support/stored-key'
import type { Fault } from '@/tests/support/upstream/faults'
import { startUpstream } from '@/tests/support/upstream/upstream'

const add = (actor: Actor, fields: Record<string, string>) =>
  addConnection(inputOf(actor, { label: 'Second', keeper: 'team', apiKey: 'a-key-of-some-length', ...fields }))

const recordOf = async () =>
  (await db().auditRow.findMany({ orderBy: { seq: 'asc' } })).map(({ action, stage, outcome }) => [action, stage, outcome])

test('a connection is stored once its key has listed servers, shows its state and fingerprint, and is logged', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream({ extensions: true })
  upstream.addServer({ name: 'alpha' })
  const actor = await (await createTeam()).join('admin')
  const added = await add(actor, { address: ` ${upstream.origin}/ `, apiKey: ` ${upstream.key}\n` })
  expect(added).toEqual({ ok: true, data: { label: 'Second', servers: 1 } })
  expect(await listConnections(actor)).toEqual([
    expect.objectContaining({
      label: 'Second',
      address: upstream.origin,
      keeper: 'team',
      state: 'working',
      fingerprint: expect.stringMatching(/^[0-9a-f]{4}( [0-9a-f]{4}){3}$/),
      lastUsedAt: expect.any(String),
      changeRefusal: null,
      removeRefusal: null,
    }),
  ])
  expect(await db().connection.findFirst()).toMatchObject({ extensions: true, provenAt: expect.any(Date) })
  // Its rows are stored with the next list: until then their number is not 0.
  expect((await listConnections(actor)).map(({ servers }) => servers)).toEqual([null])
  expect((await listServers(actor)).servers).toMatchObject([{ name: 'alpha', connectionLabel: 'Second' }])
  expect((await listConnections(actor)).map(({ servers }) => servers)).toEqual([1])
  expect(await recordOf()).toEqual([
    ['connection.create', 'intent', 'asked'],
    ['connection.create', 'outcome', 'done'],
  ])
})

test('of a connection that lists nothing, that is said once it has been listed; of one that cannot list, what is stored', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream({ extensions: true })
  const [team, connections] = [await createTeam(), async (actor: Actor) => (await listConnections(actor)).map(({ servers }) => servers)]
  const [actor, other] = [await team.join('admin'), await team.join('operator')]
  await add(other, { address: upstream.origin, apiKey: upstream.key, keeper: 'own' })
  // Whoever does not use it cannot list it, so nothing more will be known.
  expect([await connections(other), await connections(actor)]).toEqual([[null], [0]])
  await db().connection.updateMany({ data: { state: 'rejected' } })
  expect(await connections(other)).toEqual([0])
  await db().connection.updateMany({ data: { state: 'working' } })
  await listServers(other)
  expect(await connections(other)).toEqual([0])
})

const failures: readonly [Fault, string, 'address' | 'apiKey', RegExp][] = [
  ['reset-before', 'upstream_unreachable', 'address', /was cut off/],
  ['hang', 'upstream_too_slow', 'address', /in time/],
  ['html', 'upstream_not_understood', 'address', /does not speak the service interface/],
  ['empty', 'upstream_not_understood', 'address', /does not speak the service interface/],
  ['wrong-schema', 'upstream_not_understood', 'address', /does not speak the service interface/],
  ['unauthorized', 'key_rejected', 'apiKey', /does not accept this API key/],
  ['forbidden', 'key_rejected', 'apiKey', /does not let it list/],
  ['redirect-301', 'upstream_redirected', 'address', /redirects/],
  ['redirect-308', 'upstream_redirected', 'address', /redirects/],
  ['rate-limited', 'upstream_rate_limited', 'address', /rate-limiting/],
  ['success-false', 'upstream_failed', 'address', /could not list/],
  ['500-html', 'upstream_failed', 'address', /could not list/],
]

test.each(failures)(
  'security 32, 33, 36, 37: a service that answers with %s is refused as %s, and nothing is kept',
  async (fault, code, field, sentence) => {
    await using _ = await openPortalDatabase()
    await using elsewhere = await startUpstream()
    await using upstream = await startUpstream({ redirectTo: `${elsewhere.origin}/servers/` })
    const { readMs } = getSettings()
    if (fault === 'hang') getSettings().readMs = 200
    upstream.set(fault)
    const actor = await (await createTeam()).join('owner')
    const refused = await add(actor, { address: upstream.origin, apiKey: upstream.key })
    getSettings().readMs = readMs
    const fields = { [field]: expect.stringMatching(/./) }
    expect(refused).toEqual({ ok: false, problem: { code, sentence: expect.stringMatching(sentence), fields } })
    expect(upstream.calls).toHaveLength(1)
    expect(elsewhere.calls).toEqual([])
    expect(await db().connection.count()).toBe(0)
    expect((await recordOf()).at(-1)).toEqual(['connection.create', 'outcome', 'failed'])
  },
)

test('security 33: if the port is closed, or the certificate is not trusted, nothing is stored and the reason is shown', async () => {
  await using _ = await openPortalDatabase()
  using authority = createAuthority()
  const secure = createServer(authority.selfSign('self', 'localhost')).listen(0, '127.0.0.1')
  await once(secure, 'listening')
  const address = secure.address()
  const actor = await (await createTeam()).join('owner')
  const insecure = await add(actor, { address: `https://localhost:${typeof address === 'object' && address ? address.port : 0}` })
  secure.close()
  expect(insecure).toMatchObject({
    ok: false,
    problem: { code: 'upstream_insecure', fields: { address: expect.stringContaining('certificate') } },
  })
  const silent = await add(actor, { address: `http://127.0.0.1:${await findFreePort()}` })
  expect(silent).toMatchObject({ ok: false, problem: { code: 'upstream_unreachable', sentence: 'Nothing responds at this address.' } })
  expect(await db().connection.count()).toBe(0)
})

test.each([
  ['panel.example.org', /https:\/\/host/],
  ['http://169.254.169.254/latest', /https/],
  ['https://10.0.0.7', /private/],
  ['https://[::ffff:127.0.0.1]', /private/],
  ['https://0x7f000001', /private/],
  ['https://localhost', /private/],
  ['http://panel.example.org', /https/],
  ['https://user:pass@panel.example.org', /https:\/\/host/],
  ['file:///etc/passwd', /https:\/\/host/],
  ['https://nobody.invalid', /host name does not exist/],
  ['', /https:\/\/host/],
])('security 30: the address %s is refused with a sentence, before anything is recorded or sent', async (address, sentence) => {
  await using _ = await openPortalDatabase({ environment: { ALLOW_PRIVATE_UPSTREAMS: '' } })
  const actor = await (await createTeam()).join('owner')
  const refused = await add(actor, { address })
  expect(refused).toMatchObject({ ok: false, problem: { code: 'address_refused', fields: { address: expect.stringMatching(sentence) } } })
  expect([await db().connection.count(), await db().auditRow.count()]).toEqual([0, 0])
})

test('the bundled service cannot be added a second time by its own address', async () => {
  await using _ = await openPortalDatabase()
  const actor = await (await createTeam()).join('owner')
  const refused = await add(actor, { address: `http://localhost:${getSettings().servicePort}` })
  expect(refused).toMatchObject({
    ok: false,
    problem: { fields: { address: expect.stringContaining('connected for the whole team already') } },
  })
})

test('the same key at the same address is refused; another key there and the same key elsewhere are not', async () => {
  await using _ = await openPortalDatabase()
  await using one = await startUpstream()
  await using two = await startUpstream({ key: one.key })
  const team = await createTeam()
  const actor = await team.join('owner')
  expect(await add(actor, { address: one.origin, apiKey: one.key, label: 'First' })).toMatchObject({ ok: true })
  const again = await add(actor, { address: `${one.origin}/`, apiKey: one.key, keeper: 'own' })
  expect(again).toMatchObject({ ok: false, problem: { code: 'invalid', fields: { apiKey: expect.stringContaining('“First”') } } })
  expect(await add(actor, { address: two.origin, apiKey: one.key, label: 'first' })).toMatchObject({
    ok: false,
    problem: { fields: { label: expect.stringContaining('Another connection') } },
  })
  expect(await add(actor, { address: two.origin, apiKey: one.key })).toMatchObject({ ok: true })
  const other = await team.join('operator')
  const [shared] = await db().connection.findMany({ orderBy: { createdAt: 'asc' } })
  await db().connection.delete({ where: { id: shared?.id ?? '' } })
  expect(await add(other, { address: one.origin, apiKey: one.key, keeper: 'own', label: 'Mine' })).toMatchObject({ ok: true })
  expect((await listConnections(actor)).map(({ label }) => label)).toEqual(['Second', 'Mine'])
})

test.each([
  ['viewer', 'own'],
  ['viewer', 'team'],
  ['operator', 'team'],
] as const)('a %s may not add a key for: %s', async (role, keeper) => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream()
  const actor = await (await createTeam()).join(role)
  const refused = await add(actor, { address: upstream.origin, apiKey: upstream.key, keeper })
  expect(refused).toMatchObject({ ok: false, problem: { code: 'forbidden' } })
  expect(upstream.calls).toEqual([])
  expect(await recordOf()).toEqual([['connection.create', 'event', 'denied']])
})

test('a user who was signed out while the form was open adds nothing, and no key is sent', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream()
  const actor = await (await createTeam()).join('owner')
  await db().session.updateMany({ data: { revokedAt: new Date() } })
  expect(await add(actor, { address: upstream.origin, apiKey: upstream.key })).toMatchObject({ ok: false, problem: { code: 'signed_out' } })
  expect(upstream.calls).toEqual([])
  expect(await db().connection.count()).toBe(0)
})

test('security 1: neither answer, view, audit log nor rows contain the key in any form, even if the service echoes it', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream({ key: `canary/"+&%<\\${'k9'.repeat(8)}` })
  const actor = await (await createTeam()).join('owner')
  upstream.set('echo-key', { times: 1 })
  const answers = [
    await add(actor, { address: upstream.origin, apiKey: upstream.key }),
    await add(actor, { address: upstream.origin, apiKey: upstream.key }),
    await listConnections(actor),
    await db().auditRow.findMany(),
    await db().connection.findMany(),
  ]
  const text = answers.map((answer) => `${JSON.stringify(answer)}`).join('\n')
  expect(upstream.calls.every(({ authorized }) => authorized)).toBe(true)
  expect(disguisesOf(upstream.key).filter((form) => text.includes(form))).toEqual([])
})
