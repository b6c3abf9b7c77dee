/** An upgrade, a rollback, and the upgrade again: each database is one complete file at each stop, and verify reports what was lost. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createCaller } from '../browser/security/caller'
import { makePlace, type Place, startGatehouse } from '../support/gatehouse-process'
import { npmRun } from '../support/npm-run'
import { forgetMigration } from '../support/older-database'
import { query } from '../support/place-database'
import { createVisitor } from '../support/portal-visitor'

/** Files next to the two databases that are no copies: logs and shared memory of connections that were not closed. */
const left = (place: Place) =>
  (['portal', 'service'] as const).flatMap((side) =>
    readdirSync(join(place.dir, 'data', side)).filter((name) => /-(wal|shm|journal)$/.test(name)),
  )

const makeOlder = (place: Place) => query(place, 'portal', forgetMigration)

test('a stop leaves complete files; a rollback loses what it announced, verify reports it, and the next upgrade works', async () => {
  using place = await makePlace()
  using caller = createCaller(place.port)
  const visitor = createVisitor(caller)
  const names = async () => {
    const { servers }: { servers: { name: string }[] } = JSON.parse((await caller.call('/api/servers', { cookie: visitor.cookie() })).text)
    return servers.map(({ name }) => name)
  }
  {
    await using gatehouse = await startGatehouse(place)
    await visitor.setUp(gatehouse.setupLink ?? '')
    await visitor.addSandbox('web-fra-01')
  }
  expect(left(place)).toEqual([])
  expect(npmRun(place, 'rollback')).toMatchObject({ status: 0, said: expect.stringContaining('There is no copy') })

  makeOlder(place)
  {
    await using _ = await startGatehouse(place)
    expect(await visitor.signIn()).toBe(true)
    const refused = npmRun(place, 'rollback', 'portal', '--yes')
    expect(refused).toMatchObject({ status: 1, said: expect.stringMatching(/Process \d+ is already running on .* Stop it first\.\n$/) })
  }
  expect(left(place)).toEqual([])
  const asked = npmRun(place, 'rollback', 'portal')
  expect(asked).toMatchObject({ status: 0, said: expect.stringMatching(/^Lost: .*audit log entr/m) })
  expect(asked.said).toContain('add --yes')
  const before = await query(place, 'portal', 'SELECT count(*) AS rows FROM AuditRow')
  expect(npmRun(place, 'rollback', 'portal', '--yes')).toMatchObject({ status: 0, said: expect.stringContaining('Done.') })
  expect(left(place)).toEqual([])
  const after = await query(place, 'portal', 'SELECT count(*) AS rows FROM AuditRow')
  const lost = Number(before[0]?.rows) - Number(after[0]?.rows)
  expect(lost).toBeGreaterThan(0)
  expect(npmRun(place, 'keys', 'verify')).toMatchObject({
    status: 0,
    said: expect.stringMatching(new RegExp(`restored to entry .*dropped ${lost} entr`)),
  })

  {
    await using _ = await startGatehouse(place)
    expect(await visitor.signIn()).toBe(true)
    expect(await names()).toEqual(['web-fra-01'])
  }
  expect(left(place)).toEqual([])
  expect(npmRun(place, 'keys', 'verify').status).toBe(0)
})
