/** A running install has one recorder: whoever asks for it first starts it, and nobody starts a second. */
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ProgressEvent } from '@/lib/contract/events'
import { createInstalls } from '@/lib/service/installs/installs'
import { createLocks } from '@/lib/service/locks'
import type { Fleet } from '@/lib/service/machines/fleet'
import type { InstallLine, Machine } from '@/lib/service/machines/machine'
import { openStore } from '@/lib/service/store/db'
import { createRun, listEvents } from '@/lib/service/store/install-runs'
import type { MachineRow } from '@/lib/service/store/machines'
import { openRing } from '@/lib/service/store/ring'
import { keepMachine, openTestService } from './support/service'

const lines: readonly InstallLine[] = [1, 2, 3].map((line) => ({
  line,
  step: 'Packages',
  progress: line === 3 ? 100 : line,
  status: line === 3 ? 'done' : 'running',
  message: `line ${line}`,
}))

const never = new AbortController().signal

/** A machine whose install speaks three lines to whoever follows, and counts its followers. */
async function openScene() {
  const service = await openTestService()
  const machineId = await keepMachine(service, { host: '127.0.0.1', port: 9 })
  const db = openStore(join(service.dir, 'data', 'service.db'))
  const store = { db, ring: await openRing(db, join(service.dir, 'keys', 'kek.key')) }
  const followed = { begun: 0, ended: 0 }
  async function* follow(after: number) {
    followed.begun += 1
    try {
      yield* lines.slice(after)
      await new Promise(() => {})
    } finally {
      followed.ended += 1
    }
  }
  const machine = { install: { follow, start: () => Promise.reject(new Error('a second start')) } } as unknown as Machine
  const fleet = { machine: () => machine } as unknown as Fleet<MachineRow>
  const installs = createInstalls({ store, fleet, locks: createLocks(1000), log: { warn: () => {} }, silenceMs: 60_000 })
  const close = async () => {
    await installs.stop()
    await db.$disconnect()
    await service[Symbol.asyncDispose]()
  }
  return {
    store,
    installs,
    followed,
    machine: await db.machine.findUniqueOrThrow({ where: { id: machineId } }),
    [Symbol.asyncDispose]: close,
  }
}

async function messagesOf(events: AsyncIterable<ProgressEvent>): Promise<string[]> {
  const messages: string[] = []
  for await (const { message } of events) messages.push(message)
  return messages
}

const all = lines.map(({ message }) => message)

test('a run that lost its recorder is taken up by whoever resumes it, and its source is let go of at the end', async () => {
  await using scene = await openScene()
  await createRun(scene.store, scene.machine.id, 0)
  expect(await messagesOf(await scene.installs.resume(scene.machine, 0, never))).toEqual(all)
  await expect.poll(() => scene.followed).toEqual({ begun: 1, ended: 1 })
})

test('taking up, starting and resuming at once makes one recorder, and no line is written twice', async () => {
  await using scene = await openScene()
  const run = await createRun(scene.store, scene.machine.id, 0)
  const { installs, machine } = scene
  const [started, resumed] = await Promise.all([
    installs.startOrAttach(machine, never),
    installs.resume(machine, 1, never),
    installs.takeUp(),
    installs.takeUp(),
  ])
  expect(await Promise.all([messagesOf(started), messagesOf(resumed)])).toEqual([all, all.slice(1)])
  expect(await messagesOf(await installs.resume(machine, 0, never))).toEqual(all)
  expect((await listEvents(scene.store, run.id, 0, 10)).map(({ status }) => status)).toEqual(['running', 'running', 'done'])
  expect(scene.followed.begun).toBe(1)
})
