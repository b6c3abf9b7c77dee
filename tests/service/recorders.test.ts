/** A running install has one recorder: the first request starts it, and no request starts a second one. */
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ProgressEvent } from '@/lib/contract/events'
import { createLocks } from '@/lib/service/locks'
import type { Fleet } from '@/lib/service/machines/fleet'
import type { InstallLine, Machine } from '@/lib/service/machines/machine'
import { createRuns } from '@/lib/service/runs/runs'
import { createServerRuns } from '@/lib/service/runs/server-runs'
import { openStore } from '@/lib/service/store/db'
import type { MachineRow } from '@/lib/service/store/machines'
import { openRing } from '@/lib/service/store/ring'
import { createServerRun, listEvents } from '@/lib/service/store/runs'
import { measureStall } from '@/tests/support/longest-stall'
import { keepMachine, openTestService } from './support/service'

const lines: readonly InstallLine[] = [1, 2, 3].map((line) => ({
  line,
  step: 'Packages',
  progress: line === 3 ? 100 : line,
  status: line === 3 ? 'done' : 'running',
  message: `line ${line}`,
}))

const never = new AbortController().signal

/** A server whose install prints these lines to every follower, and counts its followers. */
async function openScene(spoken: (after: number) => Iterable<InstallLine> = (after) => lines.slice(after)) {
  const service = await openTestService()
  const machineId = await keepMachine(service, { host: '127.0.0.1', port: 9 })
  const db = openStore(join(service.dir, 'data', 'service.db'))
  const store = { db, ring: await openRing(db, join(service.dir, 'keys', 'kek.key')) }
  const followed = { begun: 0, ended: 0 }
  async function* follow(after: number) {
    followed.begun += 1
    try {
      yield* spoken(after)
      await new Promise(() => {})
    } finally {
      followed.ended += 1
    }
  }
  const machine = { install: { follow, start: () => Promise.reject(new Error('a second start')) } } as unknown as Machine
  const fleet = { machine: () => machine } as unknown as Fleet<MachineRow>
  const runs = createRuns({ store, fleet, log: { warn: () => {} }, silenceMs: 60_000 })
  const installs = createServerRuns({ store, fleet, runs, locks: createLocks(1000) })
  const close = async () => {
    await runs.stop()
    await db.$disconnect()
    await service[Symbol.asyncDispose]()
  }
  return {
    store,
    runs,
    installs,
    followed,
    machine: await db.machine.findUniqueOrThrow({ where: { id: machineId } }),
    [Symbol.asyncDispose]: close,
  }
}

async function messagesOf(events: AsyncIterable<ProgressEvent> | null): Promise<string[]> {
  const messages: string[] = []
  for await (const { message } of events ?? []) messages.push(message)
  return messages
}

const all = lines.map(({ message }) => message)

test('resuming a run without a recorder starts one, and its source is released at the end', async () => {
  await using scene = await openScene()
  await createServerRun(scene.store, { machineId: scene.machine.id, operation: 'servers.install', hostLines: 0, atNight: false })
  expect(await messagesOf(await scene.installs.resume('servers.install', scene.machine, 0, never))).toEqual(all)
  await expect.poll(() => scene.followed).toEqual({ begun: 1, ended: 1 })
})

test('simultaneous starting and resuming creates one recorder, and no line is written twice', async () => {
  await using scene = await openScene()
  const run = await createServerRun(scene.store, {
    machineId: scene.machine.id,
    operation: 'servers.install',
    hostLines: 0,
    atNight: false,
  })
  const { runs, installs, machine } = scene
  const [started, resumed] = await Promise.all([
    installs.startOrAttach('servers.install', machine, never),
    installs.resume('servers.install', machine, 1, never),
    runs.takeUp(),
    runs.takeUp(),
  ])
  expect(await Promise.all([messagesOf(started), messagesOf(resumed)])).toEqual([all, all.slice(1)])
  expect(await messagesOf(await installs.resume('servers.install', machine, 0, never))).toEqual(all)
  expect((await listEvents(scene.store, run.id, 0, 10)).map(({ status }) => status)).toEqual(['running', 'running', 'done'])
  expect(scene.followed.begun).toBe(1)
})

function* speakWithoutPause(after: number, count: number): Generator<InstallLine> {
  for (let line = after + 1; line <= count; line += 1) {
    const status = line === count ? 'done' : 'running'
    yield { line, step: 'Packages', progress: 50, status, message: `Unpacking package ${line}` }
  }
}

test('with endless output from a server, lines are omitted and counted, the last ones are kept, and nobody else waits', {
  retry: 1,
  timeout: 180_000,
}, async () => {
  const count = 150_000
  await using scene = await openScene((after) => speakWithoutPause(after, count))
  const run = await createServerRun(scene.store, {
    machineId: scene.machine.id,
    operation: 'servers.install',
    hostLines: 0,
    atNight: false,
  })
  const startedAt = performance.now()
  const { result: messages, stalled } = await measureStall(async () =>
    messagesOf(await scene.installs.resume('servers.install', scene.machine, 0, never)),
  )
  const marks = messages.filter((message) => message.startsWith('…'))
  const leftOut = marks.reduce((sum, mark) => sum + Number(/^… ([\d,]+) lines left out$/.exec(mark)?.[1]?.replaceAll(',', '')), 0)
  expect(leftOut + messages.length - marks.length).toBe(count)
  // 20,000 at once and 1,000 a second, however long a busy machine takes.
  expect(messages.length).toBeLessThan(22_000 + performance.now() - startedAt)
  expect(messages.slice(-100)).toEqual(Array.from({ length: 100 }, (_, index) => `Unpacking package ${count - 99 + index}`))
  expect(await scene.store.db.run.findUnique({ where: { id: run.id } })).toMatchObject({ state: 'done', hostLines: count })
  expect((await listEvents(scene.store, run.id, 0, count)).map(({ id }) => id)).toEqual(messages.map((_, index) => index + 1))
  expect(stalled).toBeLessThan(0.1)
})
