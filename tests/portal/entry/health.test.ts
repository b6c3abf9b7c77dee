/** Health checks: what a monitor, or a load balancer, gets without an account. */
import { expect, test } from 'vitest'
import { GET as live } from '@/app/api/health/live/route'
import { OPTIONS, GET as ready } from '@/app/api/health/ready/route'
import { GET as health } from '@/app/api/health/route'
import { db } from '@/lib/portal/base/db'
import { forgetProcessState } from '@/lib/portal/base/process-state'
import { announceEnd } from '@/lib/portal/entry/stop'
import { openPortalDatabase } from '../../support/portal-database'
import { postgresqlMissing } from '../../support/postgresql'
import { startUpstream } from '../../support/upstream/upstream'

async function said(answer: Response | Promise<Response>): Promise<unknown[]> {
  const response = await answer
  expect(response.headers.get('cache-control')).toBe('no-store')
  return [response.status, await response.json()]
}

test('ready names the database, the disk and the service; a service that answers anything but an error is there', async () => {
  const upstream = await startUpstream()
  await using _portal = await openPortalDatabase({ environment: { UPSTREAM_URL: `${upstream.origin}/` } })
  expect(await said(ready())).toEqual([200, { ready: true, database: true, disk: true, service: true }])
  expect(upstream.calls).toMatchObject([{ path: '/servers/', headers: expect.not.objectContaining({ authorization: expect.anything() }) }])
  await upstream[Symbol.asyncDispose]()
  expect(await said(ready())).toEqual([200, { ready: true, database: true, disk: true, service: true }])
  forgetProcessState()
  expect(await said(ready())).toEqual([503, { ready: false, database: true, disk: true, service: false }])
  expect(await said(live())).toEqual([200, { live: true }])
  expect(await said(health())).toEqual([200, { live: true, ready: true }])
})

test('a service that answers with an error is not there, nor is the bundled one that does not run', async () => {
  await using upstream = await startUpstream()
  {
    await using _portal = await openPortalDatabase({ environment: { UPSTREAM_URL: upstream.origin } })
    upstream.set('502-html')
    expect(await said(ready())).toMatchObject([503, { service: false }])
  }
  await using _portal = await openPortalDatabase({ environment: { SERVICE_PORT: '9' } })
  expect(await said(ready())).toMatchObject([503, { service: false }])
})

test('a database that takes no writes makes the portal unready, but it is live', async () => {
  await using upstream = await startUpstream()
  await using _portal = await openPortalDatabase({ environment: { UPSTREAM_URL: upstream.origin } })
  await db().$executeRaw`PRAGMA query_only = 1`
  expect(await said(ready())).toEqual([503, { ready: false, database: false, disk: true, service: true }])
  expect(await said(health())).toEqual([503, { live: true, ready: false }])
  expect(await said(live())).toEqual([200, { live: true }])
  await db().$executeRaw`PRAGMA query_only = 0`
})

test('other methods are refused by name of those that are allowed', () => {
  expect([OPTIONS().status, OPTIONS().headers.get('allow')]).toEqual([405, 'GET, HEAD'])
})

test.skipIf(postgresqlMissing).each([
  { engine: 'sqlite', status: 200 },
  { engine: 'postgresql', status: 503 },
] as const)('a portal on $engine that is about to end answers $status as long as it still serves', async ({ engine, status }) => {
  await using upstream = await startUpstream()
  await using _portal = await openPortalDatabase({ engine, environment: { UPSTREAM_URL: `${upstream.origin}/` } })
  expect(await said(ready())).toMatchObject([200, { ready: true }])
  announceEnd()
  expect(await said(ready())).toMatchObject([status, { ready: status === 200 }])
  expect(await said(health())).toEqual([status, { live: true, ready: status === 200 }])
  expect(await said(live())).toEqual([200, { live: true }])
})
