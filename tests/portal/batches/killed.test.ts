/** A portal that is killed while it runs a batch: the next one goes on, each target has one outcome, and nothing is done twice. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { db } from '@/lib/portal/base/db'
import type { Settings } from '@/lib/settings/settings'
import { getSettings } from '@/lib/settings/settings'
import { openScene, statesOf } from './scene'

const sites = 24
const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)

function startProcess({ dataDir, keysDir }: Settings, args: string[]): ChildProcess {
  const environment = { GATEHOUSE_DATA: dataDir, GATEHOUSE_KEYS: keysDir, ALLOW_PRIVATE_UPSTREAMS: '127.0.0.0/8', LOG_LEVEL: 'error' }
  const command = ['--import', './tests/support/allow-server-only.js', '--import', 'tsx', 'tests/support/batch-process.ts', ...args]
  return spawn(process.execPath, command, {
    env: { ...process.env, NODE_ENV: 'test', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

/** Settles when the process says the word. */
async function hear(child: ChildProcess, word: string): Promise<void> {
  let said = ''
  for await (const chunk of child.stdout ?? []) {
    said += String(chunk)
    if (said.includes(word)) return
  }
  throw new Error(`The process ended without saying ${word}.`)
}

async function kill(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
}

test('killed several times, a batch goes on where it was', { timeout: 300_000 }, async () => {
  await using scene = await openScene({ servers: 4, sites })
  const { upstream, actor } = scene
  upstream.model.siteLines = { steps: ['archive', 'check'], msPerLine: 60 }
  for (const [index, args] of [[actor.sessionId], [], []].entries()) {
    const child = startProcess(getSettings(), args)
    await hear(child, 'ready')
    await new Promise((resolve) => setTimeout(resolve, (seed * (index + 1)) % 400))
    await kill(child)
  }
  const batch = await db().batch.findFirstOrThrow()
  const before = await statesOf(batch.id)
  await hear(startProcess(getSettings(), []), 'over')
  const context = `seed ${seed}, before the last process ${before.join(' ')}`
  expect(before, context).toContain('waiting')
  const states = await statesOf(batch.id)
  // A job whose request never arrived has failed, and certainly did nothing.
  const made = states.map((state) => (state === 'done' ? 1 : 0))
  expect(new Set(states), context).toEqual(new Set(states.includes('failed') ? ['done', 'failed'] : ['done']))
  expect(scene.backups(), context).toEqual(made)
})
