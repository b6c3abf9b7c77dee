/** Another program holds the database's write lock while users work: answers match what is on the disk. */
import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { contract } from '@/lib/contract'
import { closeDatabase, db } from '@/lib/portal/base/db'
import { recheckActor } from '@/lib/portal/identity/actor'
import { findKnownServers } from '@/lib/portal/subjects/servers/list'
import { runOperation } from '@/lib/portal/subjects/spine'
import { getSettings } from '@/lib/settings/settings'
import { openDatabaseLock } from '@/tests/support/database-lock'
import { runSql } from '@/tests/support/sqlite-file'
import { type Desk, openDesk } from './desk'

const changes = 100

type Told = { requestId: string; code: string }

/** One change. Resolves with the answer: `done` or the problem's code. */
async function change({ actor, serverId }: Desk, number: number): Promise<Told> {
  const requestId = `change-${number}-${'x'.repeat(12)}`
  const outcome = await runOperation(
    actor,
    contract.servers.setHostname,
    { serverId },
    { hostname: `web-${number}.example.net` },
    { requestId },
  )
  return { requestId, code: outcome.ok ? 'done' : outcome.problem.code }
}

/** What the rows of a request say, as a power cut at this moment would leave them: the files are copied and opened elsewhere. */
function readFromDisk(): Map<string, string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-disk-'))
  try {
    const file = getSettings().portalDatabase
    for (const suffix of ['', '-wal'])
      if (existsSync(`${file}${suffix}`)) copyFileSync(`${file}${suffix}`, join(folder, `copy.db${suffix}`))
    const stages = new Map<string, string[]>()
    for (const { requestId, stage, outcome } of runSql(
      join(folder, 'copy.db'),
      'SELECT requestId, stage, outcome FROM AuditRow ORDER BY seq',
    )) {
      stages.set(String(requestId), [...(stages.get(String(requestId)) ?? []), `${stage} ${outcome}`])
    }
    return stages
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** No answer claims more than is on the disk, and nothing was sent to the service without an intent on the disk. */
function expectTrue({ upstream, upstreamId }: Desk, told: readonly Told[], disk: ReadonlyMap<string, string[]>): void {
  const rows = (code: string) => told.filter((each) => each.code === code).map(({ requestId }) => disk.get(requestId))
  for (const found of rows('done')) expect(found).toEqual(['intent asked', 'outcome done'])
  for (const found of rows('internal')) expect(found).toBeUndefined()
  for (const found of rows('outcome_unknown')) expect(found).toEqual(['intent asked'])
  expect(told.filter(({ code }) => !['done', 'internal', 'outcome_unknown'].includes(code))).toEqual([])
  expect(upstream.callsTo('POST', `/servers/${upstreamId}/hostname`)).toHaveLength(rows('done').length + rows('outcome_unknown').length)
}

/** Milliseconds this thread has run, and was ready to run while the kernel ran others. */
function readSchedule(): number {
  const [ranNs = 0, readyNs = 0] = readFileSync('/proc/thread-self/schedstat', 'latin1').split(' ').map(Number)
  return (ranNs + readyNs) / 1e6
}

/** How long each request that writes nothing waited meanwhile, milliseconds, without the time that computing took, or a busy machine took away. */
async function timeReads({ actor, serverId }: Desk, done: AbortSignal): Promise<number[]> {
  const waits: number[] = []
  while (!done.aborted) {
    const [began, busy] = [performance.now(), readSchedule()]
    await recheckActor(actor.sessionId)
    await findKnownServers(actor)
    const summary = await runOperation(actor, contract.servers.summary, { serverId })
    expect(summary.ok).toBe(true)
    waits.push(performance.now() - began - (readSchedule() - busy))
    await delay(50)
  }
  // The last one may have met the commits.
  return waits.slice(0, -1)
}

test.each([1, 6, 30])(
  'security 50: the lock is held for %i s while 100 changes run: every answer is true on disk, and reads do not wait',
  {
    timeout: 120_000,
    // Reads may not wait 100 ms, which another process on the same core can prevent once: decision 015.
    retry: 1,
  },
  async (seconds) => {
    await using desk = await openDesk('operator', { extensions: true })
    await using other = openDatabaseLock(getSettings().portalDatabase)
    // The first summary stores what it finds wrong; later ones write nothing.
    await runOperation(desk.actor, contract.servers.summary, { serverId: desk.serverId })
    const finished = new AbortController()
    const reads = timeReads(desk, finished.signal)
    await other.lock()
    // Commits of the changes follow, and their waits for the disk are no waits for the lock.
    const unlocked = delay(seconds * 1000).then(() => {
      finished.abort()
      return other.unlock()
    })
    // Spread over a little more than the time of the lock, so that some come after it.
    const everyMs = (seconds * 1000 + 1000) / changes
    const told = await Promise.all(Array.from({ length: changes }, (_, number) => delay(number * everyMs).then(() => change(desk, number))))
    await unlocked
    finished.abort()
    const waits = await reads

    expectTrue(desk, told, readFromDisk())
    const done = told.filter(({ code }) => code === 'done').length
    expect(done).toBeGreaterThanOrEqual(seconds > 5 ? 5 : changes)
    // Those that gave up waiting were told so, and nothing was done for them.
    if (seconds > 5) expect(done).toBeLessThan(changes)
    expect(waits.length).toBeGreaterThan(3)
    expect(Math.max(...waits)).toBeLessThan(100)

    const after = await Promise.all([1000, 1001, 1002].map((number) => change(desk, number)))
    expect(after.map(({ code }) => code)).toEqual(['done', 'done', 'done'])
    expectTrue(desk, [...told, ...after], readFromDisk())
  },
)

test('if the database is locked during a change, its outcome waits for the lock, and is on disk before the answer', async () => {
  await using desk = await openDesk('operator', { msPerByte: 60 })
  await using other = openDatabaseLock(getSettings().portalDatabase)
  const { upstream, upstreamId } = desk
  upstream.set('slow-body', { path: `/servers/${upstreamId}/hostname` })
  const answer = change(desk, 1)
  await expect.poll(() => upstream.callsTo('POST', `/servers/${upstreamId}/hostname`).length).toBe(1)
  await other.lock()
  expect(await Promise.race([answer, delay(7_000, 'waiting')])).toBe('waiting')
  await other.unlock()
  const told = await answer
  expect(told.code).toBe('done')
  expectTrue(desk, [told], readFromDisk())
})

/** Paths of the files that this process has open and that begin with `file`. */
const openHandles = (file: string): string[] =>
  readdirSync('/proc/self/fd').flatMap((handle) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${handle}`)
      return path.startsWith(file) ? [path] : []
    } catch {
      return []
    }
  })

test('a hundred transactions open no additional handle', async () => {
  await using _ = await openDesk('operator')
  const file = getSettings().portalDatabase
  const before = openHandles(file)
  for (let count = 0; count < 100; count += 1) await db().$transaction((transaction) => transaction.team.count())
  expect(openHandles(file)).toEqual(before)
})

test('closing the database leaves one file and no handle, whatever ran on it', async () => {
  await using desk = await openDesk('operator')
  const file = getSettings().portalDatabase
  for (const number of [1, 2, 3]) await change(desk, number)
  await closeDatabase()
  const beside = readdirSync(join(file, '..')).filter((name) => name.startsWith(`${basename(file)}-`))
  expect(beside).toEqual([])
  expect(openHandles(file)).toEqual([])
  expect((await change(desk, 4)).code).toBe('done')
})
