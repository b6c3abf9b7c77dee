import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createEventLoopMonitor } from '../support/event-loop-monitor/monitor'

const dir = mkdtempSync(join(tmpdir(), 'gatehouse-monitored-'))
writeFileSync(
  join(dir, 'program.mjs'),
  `const acts = {
    nothing: () => {},
    // Processor time, not time by the clock: a busy machine gives little of it.
    compute: () => {
      const before = process.cpuUsage()
      for (let used = before; used.user + used.system < before.user + before.system + 400_000; used = process.cpuUsage());
    },
    wait: () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300),
  }
  process.on('message', (name) => { acts[name](); process.send('done') })
  process.send('ready')`,
)
afterAll(() => rmSync(dir, { recursive: true }))

type Act = 'nothing' | 'compute' | 'wait'

/** Starts the program under a monitor. `measure` gives what the monitor saw during one act. */
async function start() {
  const monitor = createEventLoopMonitor()
  const env = { ...process.env, ...monitor.env }
  const child = spawn(process.execPath, [join(dir, 'program.mjs')], { env, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  await once(child, 'message')
  const act = async (name: Act) => {
    const done = once(child, 'message')
    child.send(name)
    await done
  }
  return {
    measure: (name: Act) => monitor.during('program.mjs', () => act(name)),
    [Symbol.dispose]: () => {
      child.kill()
      monitor[Symbol.dispose]()
    },
  }
}

test('a program that computes stalls its event loop, with the processor time it took', async () => {
  using program = await start()
  const { longestStallMs, longestRunMs, ranMs } = await program.measure('compute')
  expect(longestStallMs).toBeGreaterThan(200)
  expect(longestRunMs).toBeGreaterThan(200)
  expect(ranMs).toBeGreaterThan(200)
})

test('a program that waits synchronously stalls its event loop without taking processor time', async () => {
  using program = await start()
  const { longestStallMs, longestRunMs, ranMs } = await program.measure('wait')
  expect(longestStallMs).toBeGreaterThan(200)
  expect(longestRunMs).toBeLessThan(100)
  expect(ranMs).toBeLessThan(100)
})

test('a program that does nothing does not stall, also right after it did', async () => {
  using program = await start()
  await program.measure('wait')
  expect((await program.measure('nothing')).longestStallMs).toBeLessThan(100)
})
