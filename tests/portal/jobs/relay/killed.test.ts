import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { db } from '@/lib/portal/base/db'
import { listServers } from '@/lib/portal/subjects/servers/list'
import type { Settings } from '@/lib/settings/settings'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { storedLines, upTo } from '@/tests/support/portal-install'
import { createTeam } from '@/tests/support/portal-team'
import { seededRuns } from '@/tests/support/seeds'
import { startUpstream } from '@/tests/support/upstream/upstream'

const installLines = 60
const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)

/** Numbers from 0 to 1 that the seed decides (mulberry32). */
function createRandom(from: number): () => number {
  let state = from
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

function startRelayProcess(settings: Settings, args: string[]): ChildProcess {
  const environment = {
    GATEHOUSE_DATA: settings.dataDir,
    GATEHOUSE_KEYS: settings.keysDir,
    ALLOW_PRIVATE_UPSTREAMS: '127.0.0.0/8',
    LOG_LEVEL: 'error',
  }
  return spawn(
    process.execPath,
    ['--import', './tests/support/allow-server-only.js', '--import', 'tsx', 'tests/support/relay-process.ts', ...args],
    {
      env: { ...process.env, NODE_ENV: 'test', ...environment },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
}

/** Settles when the process says the word. */
async function hear(child: ChildProcess, word: string): Promise<void> {
  let said = ''
  for await (const chunk of child.stdout ?? []) {
    said += String(chunk)
    if (said.includes(word)) return
  }
  throw new Error(`The relay process ended without saying ${word}.`)
}

async function kill(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
}

test('security 46: killed at any point, jobs come back interrupted and are followed on: no gap, no repeat, no second start', {
  timeout: 300_000,
}, async () => {
  await using portal = await openPortalDatabase()
  await using upstream = await startUpstream({ extensions: true, installLines, msPerLine: 15 })
  const random = createRandom(seed)
  const team = await createTeam()
  const actor = await team.join('operator')
  await team.connect(upstream)
  const upstreamIds = upTo(seededRuns(50)).map((number) => upstream.addServer({ name: `server ${number}` }))
  const { servers } = await listServers(actor)
  for (const { id } of servers) {
    const child = startRelayProcess(portal.settings, [id, actor.sessionId])
    await hear(child, 'ready')
    await new Promise((resolve) => setTimeout(resolve, random() * 1_000))
    await kill(child)
  }
  const last = startRelayProcess(portal.settings, [])
  await hear(last, 'over')
  for (const upstreamId of upstreamIds) {
    const context = `seed ${seed}, ${upstreamId}`
    const jobs = await db().job.findMany({ where: { server: { upstreamId } } })
    const starts = upstream.installStarts(upstreamId)
    expect(jobs.length, context).toBeLessThanOrEqual(1)
    expect(starts, context).toBeLessThanOrEqual(jobs.length)
    for (const job of jobs) {
      const lines = await storedLines(job.id)
      expect(job.state, context).toBe(starts === 1 ? 'done' : 'failed')
      expect(
        lines.map(({ seq }) => seq),
        context,
      ).toEqual(starts === 1 ? upTo(installLines) : [])
      expect(
        lines.map(({ upstreamId: id }) => id),
        context,
      ).toEqual(starts === 1 ? upTo(installLines) : [])
    }
  }
  expect(upstreamIds.reduce((sum, id) => sum + upstream.installStarts(id), 0)).toBeGreaterThan(0)
})
