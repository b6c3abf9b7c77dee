/** A whole Gatehouse on PostgreSQL, as users start it: the first set-up, an install to its end, a stop and a start, directly and through a pooler. */
import { spawnSync } from 'node:child_process'
import { cpSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import type { PostgresqlAddress } from '@/lib/settings/database'
import { type Caller, createCaller } from '../browser/security/caller'
import { makePlace, type Place, runGatehouse, startGatehouse } from '../support/gatehouse-process'
import { npmRun } from '../support/npm-run'
import { openPgbouncer, pgbouncerMissing } from '../support/pgbouncer'
import { createVisitor, type PortalVisitor } from '../support/portal-visitor'
import { addressText, openPostgresql, postgresqlMissing } from '../support/postgresql'

const pages = ['/', '/servers', '/sites', '/backups', '/activity', '/jobs', '/team', '/keys', '/approvals', '/notifications', '/account']
const reads = ['/api/health/ready', '/api/servers', '/api/counts', '/api/home', '/api/jobs', '/api/palette', '/api/notifications']

/** What does not answer 200 to the person. */
async function findRefused(caller: Caller, visitor: PortalVisitor, paths: readonly string[]): Promise<string[]> {
  const refused: string[] = []
  for (const path of paths) {
    const { status } = await caller.call(path, { cookie: visitor.cookie() })
    if (status !== 200) refused.push(`${path}: ${status}`)
  }
  return refused
}

const environmentOf = (portal: PostgresqlAddress, service: PostgresqlAddress) => ({
  DATABASE_URL: addressText(portal),
  SERVICE_DATABASE_URL: addressText(service),
})

/** Starts it for the first time. Resolves with the id of a server that was installed. */
async function setUp(place: Place, caller: Caller, visitor: PortalVisitor): Promise<string> {
  await using gatehouse = await startGatehouse(place)
  await visitor.setUp(gatehouse.setupLink ?? '')
  const serverId = await visitor.addSandbox('web-fra-01')
  const jobId = await visitor.install(serverId)
  await caller.call(`/api/jobs/${jobId}/events`, { cookie: visitor.cookie() })
  expect(await findRefused(caller, visitor, [...pages, ...reads, `/servers/${serverId}`, `/jobs/${jobId}`])).toEqual([])
  expect(JSON.parse((await caller.call(`/api/jobs/${jobId}`, { cookie: visitor.cookie() })).text)).toMatchObject({ job: { state: 'done' } })
  return serverId
}

/** Starts it once more, and finds the server with its install and its API key. */
async function findAgain(place: Place, caller: Caller, visitor: PortalVisitor, serverId: string): Promise<void> {
  await using again = await startGatehouse(place)
  expect(again.setupLink).toBeNull()
  expect(await visitor.signIn()).toBe(true)
  const cookie = visitor.cookie()
  expect(await findRefused(caller, visitor, [...pages, ...reads, `/servers/${serverId}`])).toEqual([])
  const { servers } = JSON.parse((await caller.call('/api/servers', { cookie })).text)
  expect(servers).toMatchObject([{ id: serverId, name: 'web-fra-01' }])
  expect(JSON.parse((await caller.call('/api/jobs', { cookie })).text)).toMatchObject([{ state: 'done' }])
  // Only an API key that can be decrypted reaches the service, and only a service that knows the server returns its summary.
  const summary = await caller.call(`/api/operations/servers.summary?server=${serverId}`, { cookie })
  expect([summary.status, summary.text]).toEqual([200, expect.stringContaining('apache')])
}

test.skipIf(postgresqlMissing)(
  'both halves are set up and used, and find everything after a stop, as a role that cannot change the tables',
  async () => {
    await using portal = await openPostgresql('empty')
    await using service = await openPostgresql('empty')
    using place = await makePlace(environmentOf(portal.address, service.address))
    using caller = createCaller(place.port)
    const visitor = createVisitor(caller)
    const serverId = await setUp(place, caller, visitor)
    // Another machine, without the master keys of these databases.
    using stranger = await makePlace(environmentOf(portal.address, service.address))
    expect(await runGatehouse(stranger)).toMatchObject({ code: 78, output: expect.stringContaining('kek.key') })
    const files = readdirSync(join(place.dir, 'data'), { recursive: true }).map(String)
    expect(files.filter((name) => name.endsWith('.db'))).toEqual([])
    expect(npmRun(place, 'keys', 'verify')).toMatchObject({ status: 0, said: expect.stringContaining('Log integrity verified') })

    const role = `app-${process.pid}`
    await portal.ask(`CREATE ROLE "${role}" LOGIN; REVOKE CREATE ON SCHEMA public FROM PUBLIC`)
    const { stdout } = spawnSync(resolve('gatehouse'), ['migrate', '--for', role], {
      env: { ...process.env, ...place.env },
      encoding: 'utf8',
    })
    const [ofPortal = '', ofService = ''] = stdout.split(/^(?:portal|service): .*\n.*:$/m).slice(1)
    await portal.ask(ofPortal)
    await service.ask(ofService)
    try {
      const env = { ...place.env, ...environmentOf(portal.as(role), service.as(role)) }
      await findAgain({ ...place, env }, caller, visitor, serverId)
    } finally {
      for (const each of [portal, service]) await each.ask(`DROP OWNED BY "${role}"`)
      await portal.ask(`DROP ROLE "${role}"`)
    }
  },
)

test.skipIf(postgresqlMissing ?? pgbouncerMissing)('the same through PgBouncer in transaction mode, with a backup', async () => {
  await using portal = await openPostgresql('empty')
  await using service = await openPostgresql('empty')
  await using pooler = await openPgbouncer(portal.address, [portal.address.user])
  using place = await makePlace(environmentOf(pooler.through(portal.address), pooler.through(service.address)))
  using caller = createCaller(place.port)
  const visitor = createVisitor(caller)
  const serverId = await setUp(place, caller, visitor)
  expect(npmRun(place, 'backup', join(place.dir, 'copy'))).toMatchObject({
    status: 0,
    said: expect.stringContaining('portal.pgdump, service.pgdump'),
  })
  await findAgain(place, caller, visitor, serverId)
})

test.skipIf(postgresqlMissing)(
  'a second Gatehouse with the same keys is not kept out: both serve the same team, and see what the other one adds',
  async () => {
    await using portal = await openPostgresql('empty')
    await using service = await openPostgresql('empty')
    const env = environmentOf(portal.address, service.address)
    using place = await makePlace(env)
    using elsewhere = await makePlace(env)
    using caller = createCaller(place.port)
    using otherCaller = createCaller(elsewhere.port)
    const [visitor, other] = [createVisitor(caller), createVisitor(otherCaller)]
    await using first = await startGatehouse(place)
    await visitor.setUp(first.setupLink ?? '')
    await visitor.addSandbox('web-fra-01')
    cpSync(join(place.dir, 'keys'), join(elsewhere.dir, 'keys'), { recursive: true })
    await using second = await startGatehouse(elsewhere)
    expect(second.setupLink).toBeNull()
    expect(await other.signIn()).toBe(true)
    await other.addSandbox('web-fra-02')
    for (const [each, { cookie }] of [
      [caller, visitor],
      [otherCaller, other],
    ] as const) {
      const names = async () => {
        const { servers } = JSON.parse((await each.call('/api/servers', { cookie: cookie() })).text)
        return servers.map(({ name }: { name: string }) => name).sort()
      }
      await expect.poll(names, { timeout: 20_000 }).toEqual(['web-fra-01', 'web-fra-02'])
    }
  },
)
