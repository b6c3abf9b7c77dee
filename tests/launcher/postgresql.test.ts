/** A whole Gatehouse on PostgreSQL, as users start it: the first set-up, an install to its end, a stop and a start, and a start without the master keys. */
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Caller, createCaller } from '../browser/security/caller'
import { makePlace, runGatehouse, startGatehouse } from '../support/gatehouse-process'
import { npmRun } from '../support/npm-run'
import { createVisitor, type PortalVisitor } from '../support/portal-visitor'
import { addressText, openPostgresql, postgresqlMissing } from '../support/postgresql'

const onPostgresql = test.skipIf(postgresqlMissing)

const pages = ['/', '/servers', '/sites', '/activity', '/jobs', '/team', '/keys', '/approvals', '/notifications', '/account']
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

onPostgresql(
  'both halves start, are set up and used, and find everything again after a stop, as a role that cannot change the tables',
  async () => {
    await using portal = await openPostgresql('empty')
    await using service = await openPostgresql('empty')
    const databases = { DATABASE_URL: addressText(portal.address), SERVICE_DATABASE_URL: addressText(service.address) }
    using place = await makePlace(databases)
    using caller = createCaller(place.port)
    const visitor = createVisitor(caller)
    let serverId = ''
    {
      await using gatehouse = await startGatehouse(place)
      await visitor.setUp(gatehouse.setupLink ?? '')
      serverId = await visitor.addSandbox('web-fra-01')
      const jobId = await visitor.install(serverId)
      await caller.call(`/api/jobs/${jobId}/events`, { cookie: visitor.cookie() })
      expect(await findRefused(caller, visitor, [...pages, ...reads, `/servers/${serverId}`, `/jobs/${jobId}`])).toEqual([])
      expect(JSON.parse((await caller.call(`/api/jobs/${jobId}`, { cookie: visitor.cookie() })).text)).toMatchObject({ state: 'done' })

      // Another machine, without the master keys of these databases.
      using stranger = await makePlace(databases)
      const refused = await runGatehouse(stranger)
      expect(refused).toMatchObject({ code: 78, output: expect.stringContaining('kek.key') })
    }
    const files = readdirSync(join(place.dir, 'data'), { recursive: true }).map(String)
    expect(files.filter((name) => name.endsWith('.db'))).toEqual([])
    expect(npmRun(place, 'keys', 'verify')).toMatchObject({ status: 0, said: expect.stringContaining('Log integrity verified') })

    // From now on as a role that may not change the tables.
    const role = `app-${process.pid}`
    await portal.ask(`CREATE ROLE "${role}" LOGIN; REVOKE CREATE ON SCHEMA public FROM PUBLIC`)
    const { stdout } = spawnSync('./gatehouse', ['migrate', '--for', role], { env: { ...process.env, ...place.env }, encoding: 'utf8' })
    const [ofPortal = '', ofService = ''] = stdout.split(/^(?:portal|service): .*\n.*:$/m).slice(1)
    await portal.ask(ofPortal)
    await service.ask(ofService)
    const asRole = { DATABASE_URL: addressText(portal.as(role)), SERVICE_DATABASE_URL: addressText(service.as(role)) }
    await using again = await startGatehouse({ ...place, env: { ...place.env, ...asRole } })
    expect(again.setupLink).toBeNull()
    expect(await visitor.signIn()).toBe(true)
    expect(await findRefused(caller, visitor, [...pages, ...reads, `/servers/${serverId}`])).toEqual([])
    const { servers } = JSON.parse((await caller.call('/api/servers', { cookie: visitor.cookie() })).text)
    expect(servers).toMatchObject([{ id: serverId, name: 'web-fra-01' }])
    expect(JSON.parse((await caller.call('/api/jobs', { cookie: visitor.cookie() })).text)).toMatchObject([{ state: 'done' }])
    // Only an API key that can be decrypted reaches the service, and only a service that knows the server returns its summary.
    const summary = await caller.call(`/api/operations/servers.summary?server=${serverId}`, { cookie: visitor.cookie() })
    expect([summary.status, summary.text]).toEqual([200, expect.stringContaining('apache')])
    await again.stop()
    for (const place of [portal, service]) await place.ask(`DROP OWNED BY "${role}"`)
    await portal.ask(`DROP ROLE "${role}"`)
  },
)
