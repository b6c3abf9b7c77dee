/** The small building blocks of the service. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { problem } from '@/lib/contract/problem'
import { prepareDatabase } from '@/lib/database/prepare'
import { SealBroken } from '@/lib/sealing/envelope'
import { createLocks } from '@/lib/service/locks'
import { type Machine, MachineFailure } from '@/lib/service/machines/machine'
import { createSummaries } from '@/lib/service/machines/summaries'
import { createReboots } from '@/lib/service/reboots'
import { createSignals } from '@/lib/service/runs/signal'
import { withSilence } from '@/lib/service/runs/silence'
import { unreachable } from '@/lib/service/ssh/failure'
import { ensureAccount } from '@/lib/service/store/accounts'
import { openStore } from '@/lib/service/store/db'
import { createMachine, openMachineKey } from '@/lib/service/store/machines'
import { openRing } from '@/lib/service/store/ring'

const never = new Promise<void>(() => {})

test('work under one key runs sequentially, work under two keys in parallel', async () => {
  const locks = createLocks(1000)
  const said: string[] = []
  const work = (name: string) => async () => {
    said.push(`${name} begins`)
    await new Promise((resolve) => setTimeout(resolve, 5))
    said.push(`${name} ends`)
  }
  await Promise.all([locks.hold('a', work('first')), locks.hold('a', work('second')), locks.hold('b', work('other'))])
  expect(said.filter((line) => !line.startsWith('other'))).toEqual(['first begins', 'first ends', 'second begins', 'second ends'])
  expect(said.indexOf('other begins')).toBeLessThan(said.indexOf('first ends'))
})

test('a caller that waits too long gets busy, and callers behind it still wait for the running one', async () => {
  const locks = createLocks(20)
  let running = 0
  const slow = () => {
    running += 1
    return never
  }
  void locks.hold('a', slow)
  await expect(locks.hold('a', slow)).rejects.toMatchObject({ problem: { code: 'busy' } })
  await expect(locks.hold('a', slow)).rejects.toMatchObject({ problem: { code: 'busy' } })
  expect(running).toBe(1)
})

test('a failure of one caller does not affect the next', async () => {
  const locks = createLocks(1000)
  const failing = locks.hold('a', () => Promise.reject(new Error('mine')))
  await expect(failing).rejects.toThrow('mine')
  expect(await locks.hold('a', async () => 'done')).toBe('done')
})

test('a signal between counting and waiting is not missed', async () => {
  const signals = createSignals()
  const seen = signals.count('run')
  signals.tell('run')
  await signals.after('run', seen, new AbortController().signal)
  const leaving = new AbortController()
  const waiting = signals.after('run', signals.count('run'), leaving.signal)
  leaving.abort()
  await waiting
})

test('silence is reported as long as it lasts, and no event is lost', async () => {
  async function* source() {
    yield 1
    await new Promise((resolve) => setTimeout(resolve, 100))
    yield 2
  }
  const heard: unknown[] = []
  for await (const value of withSilence(source(), 20)) heard.push(value)
  expect(heard.filter((value) => value !== 'silence')).toEqual([1, 2])
  expect(heard.filter((value) => value === 'silence').length).toBeGreaterThanOrEqual(2)
})

test('a reader that leaves after the last event ends the source, so that nothing stays open', async () => {
  let ended = false
  async function* source() {
    try {
      yield 'the last word'
      yield 'never asked for'
    } finally {
      ended = true
    }
  }
  for await (const value of withSilence(source(), 1000)) if (value === 'the last word') break
  await expect.poll(() => ended).toBe(true)
})

test('a reader can leave during a silence, and the source ends with its next event', async () => {
  const said: string[] = []
  async function* source() {
    try {
      await new Promise((resolve) => setTimeout(resolve, 100))
      yield 'too late'
    } finally {
      said.push('ended')
    }
  }
  for await (const value of withSilence(source(), 5)) if (value === 'silence') break
  expect(said).toEqual([])
  await expect.poll(() => said).toEqual(['ended'])
})

test('simultaneous requests for a summary share one read, and after five seconds the next request reads again', async () => {
  let asked = 0
  let nowMs = 0
  const machine = { summary: async () => ({ hostname: `answer ${++asked}` }) } as unknown as Machine
  const summaries = createSummaries(5000, () => nowMs)
  const all = await Promise.all(Array.from({ length: 20 }, () => summaries.read('m', () => machine)))
  expect(new Set(all.map(({ hostname }) => hostname))).toEqual(new Set(['answer 1']))
  nowMs = 4999
  expect((await summaries.read('m', () => machine)).hostname).toBe('answer 1')
  nowMs = 5000
  expect((await summaries.read('m', () => machine)).hostname).toBe('answer 2')
})

test('a reboot explains for five minutes why a server does not answer, and nothing else', () => {
  let nowMs = 0
  const reboots = createReboots(() => nowMs)
  const [away, refused] = [new MachineFailure(problem('unreachable')), new MachineFailure(problem('login_failed'))]
  expect([reboots.isGoingDown('m'), reboots.explains('m', away)]).toEqual([false, false])
  reboots.begin('m')
  expect([reboots.isGoingDown('m'), reboots.isGoingDown('other')]).toEqual([true, false])
  nowMs = 10_000
  expect([reboots.isGoingDown('m'), reboots.explains('m', away), reboots.explains('other', away)]).toEqual([false, true, false])
  expect([reboots.explains('m', refused), reboots.explains('m', new Error('bug'))]).toEqual([false, false])
  nowMs = 300_000
  expect(reboots.explains('m', away)).toBe(false)
})

test('a failed summary is not kept', async () => {
  let asked = 0
  const machine = {
    summary: () => (++asked === 1 ? Promise.reject(new Error('away')) : Promise.resolve({ hostname: 'back' })),
  } as unknown as Machine
  const summaries = createSummaries()
  await expect(summaries.read('m', () => machine)).rejects.toThrow('away')
  expect((await summaries.read('m', () => machine)).hostname).toBe('back')
})

test('a server’s private key is bound to its own row: in another row it cannot be decrypted', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'gatehouse-store-'))
  const file = join(dir, 'data', 'service.db')
  await prepareDatabase({ file, schema: 'service' })
  const db = openStore(file)
  const store = { db, ring: await openRing(db, join(dir, 'keys', 'kek.key')) }
  const { id: accountId } = await ensureAccount(db, 'default')
  const place = {
    accountId,
    provider: 'ssh' as const,
    name: 'n',
    dns: '',
    region: '',
    type: '',
    host: 'h',
    port: 22,
    user: 'root',
    ip: '',
    hostname: 'n',
    publicKey: 'p',
  }
  const machine = await createMachine(store, { ...place, id: 'one', hostKey: 'SHA256:one', privateKey: 'the private key' })
  const other = await createMachine(store, { ...place, id: 'two', hostKey: 'SHA256:two', privateKey: 'another key' })
  expect(Buffer.from(machine.sealedKey ?? []).includes('private')).toBe(false)
  expect(openMachineKey(store, machine)).toBe('the private key')
  expect(() => openMachineKey(store, { ...other, sealedKey: machine.sealedKey })).toThrow(SealBroken)
  await db.$disconnect()
  rmSync(dir, { recursive: true, force: true })
})

test('a refused connection is not blamed on the port alone: a firewall that rejects it looks the same', () => {
  const refused = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })
  const { sentence } = unreachable({ host: '192.0.2.7', port: 22 }, refused).problem
  expect(sentence).toMatch(/at 192\.0\.2\.7, port 22\. The connection was refused: nothing listens .* or a firewall rejects it\.$/)
})
