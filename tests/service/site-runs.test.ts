/** Work on sites is stored before it starts, started once, and its end is stored together with what it means for the site. */
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { problem } from '@/lib/contract/problem'
import { createLocks } from '@/lib/service/locks'
import type { Fleet } from '@/lib/service/machines/fleet'
import { type Machine, MachineFailure } from '@/lib/service/machines/machine'
import type { SiteJobLine, SiteOnHost, Sites, SiteWork } from '@/lib/service/machines/sites'
import { createRuns } from '@/lib/service/runs/runs'
import { createSiteRuns } from '@/lib/service/runs/site-runs'
import { openStore } from '@/lib/service/store/db'
import type { MachineRow } from '@/lib/service/store/machines'
import { openRing } from '@/lib/service/store/ring'
import { toRun } from '@/lib/service/store/run'
import { createServerRun } from '@/lib/service/store/runs'
import { createCreation, createDeletion } from '@/lib/service/store/site-runs'
import { keepMachine, openTestService } from './support/service'

const never = new AbortController().signal
const password = 'never written to the disk'
const chosen = { password, wwwRedirect: false }

const site: SiteOnHost = { id: 'site-1', name: 'examplebeef', domain: 'example.org', aliases: ['www.example.org'] }

const line = (more: Partial<SiteJobLine>): SiteJobLine => ({ line: 1, step: 'PHP', progress: 50, status: 'running', message: 'm', ...more })
const done = line({ line: 2, status: 'done', progress: 100 })
const failed = line({ line: 2, status: 'failed', error: 'It failed.' })

type Behaviour = {
  start?: () => Promise<void>
  follow?: (jobId: string, afterLine: number, signal: AbortSignal) => AsyncIterable<SiteJobLine> | Iterable<SiteJobLine>
}

/** A server whose sites behave as told. */
const authority = { directory: '', roots: '', contact: '' }

async function openScene(behaviour: Behaviour, { patienceMs = 2000 } = {}) {
  const service = await openTestService()
  const machineId = await keepMachine(service, { host: '127.0.0.1', port: 9 })
  const db = openStore(join(service.dir, 'data', 'service.db'))
  const store = { db, ring: await openRing(db, join(service.dir, 'keys', 'kek.key')) }
  const asked: { started: SiteWork[]; followed: string[]; forgotten: string[] } = { started: [], followed: [], forgotten: [] }
  const sites: Pick<Sites, 'start' | 'follow' | 'forget'> = {
    async start(_jobId, work) {
      asked.started.push(work)
      await behaviour.start?.()
    },
    async *follow(jobId, afterLine, signal) {
      asked.followed.push(jobId)
      yield* behaviour.follow?.(jobId, afterLine, signal) ?? [line({}), done]
    },
    forget: async (jobId) => void asked.forgotten.push(jobId),
  }
  const fleet = { machine: () => ({ sites }) as unknown as Machine } as unknown as Fleet<MachineRow>
  const open = () => {
    const runs = createRuns({ store, fleet, log: { warn: () => {} }, silenceMs: 60_000 })
    return { runs, siteRuns: createSiteRuns({ store, fleet, runs, locks: createLocks(1000), authority, patienceMs }) }
  }
  const opened = open()
  return {
    ...opened,
    store,
    asked,
    dir: service.dir,
    machine: await db.machine.findUniqueOrThrow({ where: { id: machineId } }),
    /** The service once more, as after a restart. */
    reopen: open,
    sites: () => db.site.findMany({ select: { id: true, state: true, deleting: true } }),
    runStates: async () => (await db.run.findMany({ orderBy: { number: 'asc' } })).map(({ state }) => state),
    async [Symbol.asyncDispose]() {
      await opened.runs.stop()
      await db.$disconnect()
      await service[Symbol.asyncDispose]()
    },
  }
}

type Scene = Awaited<ReturnType<typeof openScene>>

const create = ({ siteRuns, machine }: Scene, wanted = site) => siteRuns.create(machine, async () => wanted, chosen)
const remove = ({ siteRuns, machine }: Scene) => siteRuns.delete(machine, site.id, async () => site, true)

const failure = (code: 'unreachable' | 'busy' | 'outcome_unknown' | 'too_slow') => new MachineFailure(problem(code))

test('a site is ready when its job is done, the answer has its id, and the job is forgotten', async () => {
  await using scene = await openScene({})
  const work = await create(scene)
  expect(await work.answer(never)).toEqual({ id: 'site-1' })
  expect(await scene.sites()).toEqual([{ id: 'site-1', state: 'ready', deleting: false }])
  const [run] = await scene.store.db.run.findMany()
  expect(run).toMatchObject({ operation: 'sites.create', siteId: 'site-1', domain: 'example.org', state: 'done', hostLines: 2 })
  await expect.poll(() => scene.asked.forgotten).toEqual([run?.id])
})

test('passwords reach the server and no file of the service', async () => {
  await using scene = await openScene({})
  await (await create(scene)).answer(never)
  const [work] = scene.asked.started
  expect(work).toMatchObject({ kind: 'create', password, databasePassword: expect.stringMatching(/^[\w-]{32}$/) })
  const secrets = [password, work?.kind === 'create' ? work.databasePassword : '']
  const folder = join(scene.dir, 'data')
  for (const name of readdirSync(folder)) {
    const bytes = readFileSync(join(folder, name))
    for (const secret of secrets) expect(bytes.includes(secret), name).toBe(false)
  }
})

test.each(['unreachable', 'busy'] as const)('work that the server certainly did not begin (%s) leaves no row', async (code) => {
  await using scene = await openScene({ start: () => Promise.reject(failure(code)) })
  await expect(create(scene)).rejects.toMatchObject({ problem: { code } })
  expect([await scene.sites(), await scene.runStates()]).toEqual([[], []])
  await scene.store.db.site.create({ data: { ...site, aliases: {}, machineId: scene.machine.id, state: 'ready' } })
  await expect(remove(scene)).rejects.toMatchObject({ problem: { code } })
  expect([await scene.sites(), await scene.runStates()]).toEqual([[{ id: 'site-1', state: 'ready', deleting: false }], []])
})

test.each(['outcome_unknown', 'too_slow'] as const)('after a start with an unknown outcome (%s) the job itself decides', async (code) => {
  const lines = [failed, done]
  await using scene = await openScene({ start: () => Promise.reject(failure(code)), follow: () => lines.splice(0, 1) })
  await expect((await create(scene)).answer(never)).rejects.toMatchObject({ problem: { code: 'internal', sentence: 'It failed.' } })
  expect(await scene.sites()).toEqual([])
  expect(await (await create(scene)).answer(never)).toEqual({ id: 'site-1' })
  expect(await scene.sites()).toMatchObject([{ state: 'ready' }])
})

test('a refusal by the server has its code, and the site is as it was before', async () => {
  const refusal = line({ line: 2, status: 'failed', error: 'There is no room.', problem: 'unsuitable' })
  const lines = [[line({}), done], [refusal]]
  await using scene = await openScene({ follow: () => lines.shift() ?? [done] })
  await (await create(scene)).answer(never)
  const work = await remove(scene)
  expect(await scene.sites()).toMatchObject([{ deleting: true }])
  await expect(work.answer(never)).rejects.toMatchObject({ problem: { code: 'unsuitable', sentence: 'There is no room.' } })
  expect(await scene.sites()).toEqual([{ id: 'site-1', state: 'ready', deleting: false }])
})

test('a site that is neither what it was nor what was wanted has failed; after any other failure it is what it was', async () => {
  const lines = [[{ ...failed, halfDone: true as const }], [done], [line({}), done], [failed], [{ ...failed, halfDone: true as const }]]
  await using scene = await openScene({ follow: () => lines.shift() ?? [done] })
  const fails = { problem: { code: 'internal', sentence: 'It failed.' } }
  await expect((await create(scene)).answer(never)).rejects.toMatchObject(fails)
  expect(await scene.sites()).toEqual([{ id: 'site-1', state: 'failed', deleting: false }])
  await (await remove(scene)).answer(never)
  await (await create(scene)).answer(never)
  for (const state of ['ready', 'failed']) {
    await expect((await remove(scene)).answer(never)).rejects.toMatchObject(fails)
    expect(await scene.sites()).toEqual([{ id: 'site-1', state, deleting: false }])
  }
})

test('a site whose job could not be followed to its end has failed, and can be deleted', async () => {
  const lines = [() => Promise.reject(failure('unreachable')), () => Promise.reject(failure('unreachable'))]
  await using scene = await openScene({
    async *follow() {
      yield line({})
      await lines.shift()?.()
      yield line({ line: 2, status: 'done', answer: '/var/backups/last.tar.gz' })
    },
  })
  await expect((await create(scene)).answer(never)).rejects.toMatchObject({ problem: { code: 'outcome_unknown' } })
  expect(await scene.sites()).toEqual([{ id: 'site-1', state: 'failed', deleting: false }])
  await expect((await remove(scene)).answer(never)).rejects.toMatchObject({ problem: { code: 'outcome_unknown' } })
  expect(await scene.sites()).toEqual([{ id: 'site-1', state: 'failed', deleting: false }])
  expect(scene.asked.forgotten).toEqual([])
  expect(await (await remove(scene)).answer(never)).toEqual({ backup: '/var/backups/last.tar.gz' })
  expect(await scene.sites()).toEqual([])
})

test('lines that end without a last one mean that the outcome is unknown', async () => {
  await using scene = await openScene({ follow: () => [line({})] })
  await expect((await create(scene)).answer(never)).rejects.toMatchObject({ problem: { code: 'outcome_unknown' } })
  expect(await scene.sites()).toMatchObject([{ state: 'failed' }])
})

test('a service killed at any moment follows what it had stored, and starts nothing again', async () => {
  await using scene = await openScene({})
  const run = await createCreation(scene.store, scene.machine.id, site)
  const again = scene.reopen()
  await again.runs.takeUp()
  expect(await again.siteRuns.resume(scene.machine, run, 0).answer(never)).toEqual({ id: 'site-1' })
  const deletion = await createDeletion(scene.store, scene.machine.id, site)
  const third = scene.reopen()
  await third.runs.takeUp()
  expect(await third.siteRuns.resume(scene.machine, deletion, 0).answer(never)).toEqual({})
  expect(await scene.sites()).toEqual([])
  expect(scene.asked.started).toEqual([])
  expect(scene.asked.followed).toEqual([run.id, deletion.id])
  await Promise.all([again.runs.stop(), third.runs.stop()])
})

test('a job that the server never received leaves no site', async () => {
  await using scene = await openScene({ follow: () => [failed] })
  const run = await createCreation(scene.store, scene.machine.id, site)
  await scene.runs.takeUp()
  await expect(scene.siteRuns.resume(scene.machine, run, 0).answer(never)).rejects.toMatchObject({ problem: { code: 'internal' } })
  expect(await scene.sites()).toEqual([])
})

/** A promise that tests settle. */
function createGate() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open, opened }
}

const otherSite: SiteOnHost = { ...site, id: 'site-2', name: 'otherbeef', domain: 'example.net', aliases: [] }

test('work waits for other work on the same site, but not for long', async () => {
  const gate = createGate()
  await using scene = await openScene(
    {
      async *follow() {
        await gate.opened
        yield done
      },
    },
    { patienceMs: 300 },
  )
  const first = await create(scene)
  await expect(remove(scene)).rejects.toMatchObject({ problem: { code: 'busy' } })
  const waiting = remove(scene)
  gate.open()
  expect(await first.answer(never)).toEqual({ id: 'site-1' })
  expect(await (await waiting).answer(never)).toEqual({})
  expect(scene.asked.started.map(({ kind }) => kind)).toEqual(['create', 'delete'])
})

test('work on another site is given to the server at once, which lets it wait, also across restarts of the service; all events of a server have numbers of their own', async () => {
  const gates = [createGate(), createGate()]
  const waits = line({ step: 'Wait', progress: 0, message: 'Waits for the creation of example.org.' })
  const known: string[] = []
  await using scene = await openScene({
    async *follow(jobId, afterLine, signal) {
      if (!known.includes(jobId)) known.push(jobId)
      const index = known.indexOf(jobId)
      if (afterLine === 0) yield index === 0 ? line({}) : waits
      await Promise.race([gates[index]?.opened, once(signal, 'abort')])
      if (signal.aborted) return
      yield line({ line: 2, progress: 60 })
      yield line({ line: 3, status: 'done', progress: 100 })
    },
  })
  const stored = () => scene.store.db.runEvent.findMany({ orderBy: { id: 'asc' } })
  await create(scene)
  await expect.poll(async () => (await stored()).length).toBe(1)
  await create(scene, otherSite)
  expect(scene.asked.started).toHaveLength(2)
  await expect.poll(async () => (await stored()).at(-1)?.message).toBe(waits.message)
  await scene.runs.stop()

  const again = scene.reopen()
  await again.runs.takeUp()
  for (const gate of gates) gate.open()
  const runs = (await scene.store.db.run.findMany({ orderBy: { number: 'asc' } })).map(toRun)
  const [one, two] = runs.map((run) => again.siteRuns.resume(scene.machine, run, 0))
  expect(await one?.answer(never)).toEqual({ id: 'site-1' })
  expect(await two?.answer(never)).toEqual({ id: 'site-2' })
  expect(scene.asked.started).toHaveLength(2)
  const events = await stored()
  expect(events.map(({ id }) => id)).toEqual(events.map((_, index) => index + 1))
  for (const { id } of runs) expect(events.filter(({ runId }) => runId === id).at(-1)).toMatchObject({ status: 'done' })
  await again.runs.stop()
})

test('work does not wait for an install', async () => {
  // Whoever waited here would wait longer than a test may take.
  await using scene = await openScene({}, { patienceMs: 3_600_000 })
  await (await create(scene)).answer(never)
  await createServerRun(scene.store, { machineId: scene.machine.id, operation: 'servers.install', hostLines: 0, atNight: false })
  await expect(remove(scene)).rejects.toMatchObject({ problem: { code: 'busy' } })
  expect(scene.asked.started).toHaveLength(1)
})

test('two servers of an account do not admit sites at the same time, because both could get the same name', async () => {
  await using scene = await openScene({})
  const other = { ...scene.machine, id: 'other', hostKey: 'SHA256:other' }
  await scene.store.db.machine.create({ data: other })
  const gate = createGate()
  const admitted: string[] = []
  const admitFirst = async () => {
    admitted.push('first')
    await gate.opened
    return site
  }
  const admitSecond = async () => {
    admitted.push(`second, with ${(await scene.sites()).length} known`)
    return { ...site, id: 'site-2' }
  }
  const first = scene.siteRuns.create(scene.machine, admitFirst, chosen)
  await expect.poll(() => admitted).toEqual(['first'])
  const second = scene.siteRuns.create(other, admitSecond, chosen)
  await new Promise((resolve) => setTimeout(resolve, 100))
  gate.open()
  await Promise.all([first, second])
  expect(admitted).toEqual(['first', 'second, with 1 known'])
})

test('a service that stops does not claim an outcome', async () => {
  const gate = createGate()
  await using scene = await openScene({
    async *follow() {
      await gate.opened
      yield done
    },
  })
  const answer = (await create(scene)).answer(never)
  const stopping = scene.runs.stop()
  await expect(answer).rejects.toMatchObject({ problem: { code: 'outcome_unknown' } })
  gate.open()
  await stopping
})
