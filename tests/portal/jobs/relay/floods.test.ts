/** Services that say more than anybody can store or read, and viewers of what was stored. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { db } from '@/lib/portal/base/db'
import type { Settings } from '@/lib/settings/settings'
import { createEventLoopMonitor, type EventLoopMonitor } from '@/tests/support/event-loop-monitor/monitor'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { prepareInstall, upTo } from '@/tests/support/portal-install'
import { startUpstream } from '@/tests/support/upstream/upstream'

const floodLines = 240_000
// Loading and compiling are stalls too: they are over when so many lines are stored.
const warmUpLines = 1_000

function startRelayProcess(settings: Settings, args: string[], monitor: EventLoopMonitor): ChildProcess {
  const imports = ['--import', './tests/support/allow-server-only.js', '--import', 'tsx']
  const environment = { GATEHOUSE_DATA: settings.dataDir, GATEHOUSE_KEYS: settings.keysDir, ALLOW_PRIVATE_UPSTREAMS: '127.0.0.0/8' }
  return spawn(process.execPath, [...imports, 'tests/support/relay-process.ts', ...args], {
    env: { ...process.env, NODE_ENV: 'test', LOG_LEVEL: 'error', ...environment, ...monitor.env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

/**
 * The most processor time the process took between two turns of its event loop until it ended, as a fraction of all that it took;
 * warming up left out. Not the time that passed: a garbage collection waits for helper threads, which a busy machine lets wait.
 */
async function longestPiece(child: ChildProcess, monitor: EventLoopMonitor): Promise<number> {
  let over = false
  const ended = once(child, 'exit').then(() => {
    over = true
  })
  for await (const chunk of child.stdout ?? []) if (String(chunk).includes('ready')) break
  child.stdout?.resume()
  await expect.poll(() => db().jobEvent.count(), { timeout: 20_000 }).toBeGreaterThan(warmUpLines)
  await monitor.read('relay-process.ts')
  let [longest, all] = [0, 0]
  while (!over) {
    await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 250))])
    const period = await monitor.read('relay-process.ts').catch(() => null)
    longest = Math.max(longest, period?.longestRunMs ?? 0)
    all += period?.ranMs ?? 0
  }
  return longest / all
}

test('lines without pause are left out and counted: the portal stands still at no time, and the last lines and the outcome are kept', {
  timeout: 240_000,
}, async () => {
  await using portal = await openPortalDatabase()
  await using upstream = await startUpstream({ extensions: true, floodLines })
  using monitor = createEventLoopMonitor()
  const { actor, serverId, path } = await prepareInstall(upstream)
  upstream.set('flooding-stream', { path })
  const startedAt = performance.now()
  const child = startRelayProcess(portal.settings, [serverId, actor.sessionId], monitor)
  const piece = await longestPiece(child, monitor)
  const elapsedMs = performance.now() - startedAt
  expect(piece).toBeLessThan(0.05)
  const job = await db().job.findFirstOrThrow()
  expect(job).toMatchObject({ state: 'done', step: 'packages', progress: 1 })
  const count = await db().jobEvent.count()
  expect(job.eventCount).toBe(count)
  // 20,000 at once and 1,000 a second, however long a busy machine takes for it.
  expect(count).toBeLessThan(22_000 + elapsedMs)
  const marks = await db().jobEvent.findMany({ where: { status: 'left-out' }, orderBy: { seq: 'asc' } })
  const leftOut = marks.reduce((sum, { message }) => sum + Number(/^… ([\d,]+) lines left out$/.exec(message)?.[1]?.replaceAll(',', '')), 0)
  expect(leftOut + count - marks.length).toBe(floodLines)
  expect(marks.some(({ message }) => message.includes(','))).toBe(true)
  const last = await db().jobEvent.findMany({ orderBy: { seq: 'desc' }, take: 100 })
  expect(last.map(({ upstreamId }) => upstreamId).reverse()).toEqual(upTo(floodLines).slice(-100))
  expect(last[0]).toMatchObject({ seq: count, status: 'done' })
})
