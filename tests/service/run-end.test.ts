/** What the end of each run changes, also of work that a newer version began before somebody went back to this one. */
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isSlowServerOperation, isSlowSiteOperation, operations } from '@/lib/contract'
import type { Fleet } from '@/lib/service/machines/fleet'
import type { Machine } from '@/lib/service/machines/machine'
import type { SiteJobLine } from '@/lib/service/machines/sites'
import { createRuns } from '@/lib/service/runs/runs'
import { openStore } from '@/lib/service/store/db'
import type { MachineRow } from '@/lib/service/store/machines'
import { openRing } from '@/lib/service/store/ring'
import { toRun } from '@/lib/service/store/run'
import { appendEvents, findRunningRun } from '@/lib/service/store/runs'
import { keepMachine, openTestService } from './support/service'

const ids = operations.filter(({ pace }) => pace === 'slow').map(({ id }) => id)

/** A server with a site and the staging copy of that, and runs in any state. jobLines: what the server says of each job. */
async function openScene(jobLines: readonly SiteJobLine[] = []) {
  const service = await openTestService()
  const machineId = await keepMachine(service, { host: '127.0.0.1', port: 9 })
  const db = openStore(join(service.dir, 'data', 'service.db'))
  const store = { db, ring: await openRing(db, join(service.dir, 'keys', 'kek.key')) }
  const followed: string[] = []
  async function* follow(jobId: string) {
    followed.push(jobId)
    yield* jobLines
  }
  const machine = { sites: { follow, forget: async () => {} } } as unknown as Machine
  const fleet = { machine: () => machine } as unknown as Fleet<MachineRow>
  const runs = createRuns({ store, fleet, log: { warn: () => {} }, silenceMs: 60_000 })
  const keepSite = (id: string, more: object = {}) =>
    db.site.create({ data: { id, machineId, name: id, domain: `${id}.example`, state: 'ready', checkedAt: new Date(), ...more } })
  return {
    store,
    db,
    runs,
    followed,
    machineId,
    keepSite,
    keepRun: (operation: string, siteId: string | null) =>
      db.run.create({ data: { id: 'run', machineId, number: 1, operation, siteId, domain: 'site.example', state: 'running' } }),
    sites: () => db.site.findMany({ select: { id: true, state: true, deleting: true, checkedAt: true }, orderBy: { id: 'asc' } }),
    async [Symbol.asyncDispose]() {
      await runs.stop()
      await db.$disconnect()
      await service[Symbol.asyncDispose]()
    },
  }
}

const line = (status: 'running' | 'done' | 'failed'): SiteJobLine => ({ line: 1, step: 'PHP', progress: 100, status, message: '' })

test('each end of each slow operation is stored; only a creation that failed and a deletion that is done remove the site', async () => {
  await using scene = await openScene()
  for (const id of ids) {
    for (const status of ['done', 'failed'] as const) {
      await scene.keepSite('site')
      const row = await scene.keepRun(id, isSlowSiteOperation(id) ? 'site' : null)
      await appendEvents(scene.store, toRun(row), [{ step: 'PHP', progress: 100, status, message: '' }])
      expect(await scene.db.run.findMany()).toMatchObject([{ operation: id, state: status, endedAt: expect.any(Date) }])
      const removes = id === (status === 'done' ? 'sites.delete' : 'sites.create')
      expect([id, status, (await scene.sites()).map((site) => site.id)]).toEqual([id, status, removes ? [] : ['site']])
      await scene.db.run.deleteMany()
      await scene.db.site.deleteMany()
    }
  }
})

test('an operation is a run of a server or of a site, and a quick one is neither', () => {
  for (const { id, pace } of operations) {
    expect([id, isSlowServerOperation(id) || isSlowSiteOperation(id)]).toEqual([id, pace === 'slow'])
    expect([id, isSlowServerOperation(id) && isSlowSiteOperation(id)]).toEqual([id, false])
  }
})

test.each(['done', 'failed'] as const)(
  'work of a newer version on a site (%s) is followed; nothing is deleted, nor left under way',
  async (status) => {
    await using scene = await openScene([line(status)])
    await scene.keepSite('site', { state: 'creating', deleting: true })
    await scene.keepSite('copy', { state: 'creating', stagingOf: 'site' })
    await scene.keepSite('other', { state: 'creating' })
    await scene.keepRun('sites.teleport', 'site')
    await scene.runs.takeUp()
    await expect.poll(async () => (await scene.db.run.findMany())[0]).toMatchObject({ operation: 'sites.teleport', state: status })
    expect(scene.followed).toEqual(['run'])
    expect(await scene.sites()).toMatchObject([
      { id: 'copy', state: 'failed' },
      { id: 'other', state: 'creating' },
      { id: 'site', state: 'failed', deleting: false, checkedAt: null },
    ])
  },
)

test('a site that newer work was about and that was ready stays ready, and is checked again', async () => {
  await using scene = await openScene([line('done')])
  await scene.keepSite('site')
  await scene.keepRun('sites.teleport', 'site')
  await scene.runs.takeUp()
  await expect.poll(async () => (await scene.sites())[0]).toMatchObject({ state: 'ready', checkedAt: null })
  const [run] = await scene.db.run.findMany()
  expect(JSON.parse(run?.result ?? '')).toMatchObject({ success: false, code: 'outcome_unknown' })
})

test('work of a newer version on a whole server cannot be followed: it ends, is not taken for an install, and the server is free', async () => {
  await using scene = await openScene([line('done')])
  await scene.db.machine.update({ where: { id: scene.machineId }, data: { state: 'ready' } })
  await scene.keepRun('servers.teleport', null)
  await scene.runs.takeUp()
  await expect.poll(async () => (await scene.db.run.findMany())[0]?.state).toBe('failed')
  const [event] = await scene.db.runEvent.findMany()
  expect(event?.error).toMatch(/^A newer version of Gatehouse began this work.*may still be running on the server\.$/)
  expect([scene.followed, await findRunningRun(scene.store, scene.machineId)]).toEqual([[], null])
  expect(await scene.db.machine.findMany()).toMatchObject([{ state: 'ready' }])
})

test('a server that newer work was installing counts as not installed', async () => {
  await using scene = await openScene()
  await scene.db.machine.update({ where: { id: scene.machineId }, data: { state: 'installing' } })
  await scene.keepRun('servers.teleport', null)
  await scene.runs.takeUp()
  await expect.poll(async () => (await scene.db.machine.findMany())[0]?.state).toBe('failed')
})
