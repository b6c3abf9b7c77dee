/** A running Gatehouse is backed up, lost and restored with all its users and data. */
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createCaller } from '../browser/security/caller'
import { makePlace, startGatehouse } from '../support/gatehouse-process'
import { npmRun } from '../support/npm-run'
import { createVisitor } from '../support/portal-visitor'

test('backup while running, folders deleted, restore: sign-in works, the server and its log exist, its API key can be decrypted', async () => {
  using place = await makePlace()
  const copy = join(place.dir, 'copy')
  using caller = createCaller(place.port)
  const visitor = createVisitor(caller)
  {
    await using gatehouse = await startGatehouse(place)
    await visitor.setUp(gatehouse.setupLink ?? '')
    const serverId = await visitor.addSandbox('web-fra-01')
    await caller.call(`/api/jobs/${await visitor.install(serverId)}/events`, { cookie: visitor.cookie() })
    expect(npmRun(place, 'backup', copy)).toMatchObject({
      status: 0,
      said: expect.stringContaining('portal.db, service.db, portal-kek.key'),
    })
    expect(npmRun(place, 'restore', copy)).toMatchObject({ status: 1, said: expect.stringContaining('is not empty') })
  }
  // The stop recorded the end of the audit log.
  const heads = readFileSync(join(place.dir, 'data/portal/audit-heads'), 'utf8').trimEnd().split('\n')
  const { row }: { row: string } = JSON.parse(heads.at(-1) ?? '')
  expect(npmRun(place, 'keys', 'verify')).toMatchObject({ status: 0, said: expect.stringContaining(`up to mark ${row}.`) })
  expect(existsSync(join(copy, 'portal-kek.key'))).toBe(false)
  expect(readdirSync(`${copy}-keys`)).toContain('portal-kek.key')
  for (const folder of ['data', 'keys']) rmSync(join(place.dir, folder), { recursive: true })

  expect(npmRun(place, 'restore', copy)).toMatchObject({ status: 0, said: expect.stringMatching(/^Restored into/) })
  expect(npmRun(place, 'keys', 'verify')).toMatchObject({ status: 0, said: expect.stringContaining('Log integrity verified') })
  await using again = await startGatehouse(place)
  expect(again.setupLink).toBeNull()
  expect(await visitor.signIn()).toBe(true)
  const cookie = visitor.cookie()
  const { servers }: { servers: { id: string; name: string }[] } = JSON.parse((await caller.call('/api/servers', { cookie })).text)
  expect(servers.map(({ name }) => name)).toEqual(['web-fra-01'])
  // Only an API key that can be decrypted reaches the service, and only a service that knows the server returns its summary.
  const summary = await caller.call(`/api/operations/servers.summary?server=${servers[0]?.id}`, { cookie })
  expect([summary.status, summary.text]).toEqual([200, expect.stringContaining('apache')])
  const jobs: { id: string; state: string }[] = JSON.parse((await caller.call('/api/jobs', { cookie })).text)
  expect(jobs.map(({ state }) => state)).toEqual(['done'])
  expect((await caller.call(`/api/jobs/${jobs[0]?.id}/events`, { cookie })).text.match(/event: line/g)?.length).toBeGreaterThan(20)
})
