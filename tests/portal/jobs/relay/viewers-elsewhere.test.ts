/** Viewers of a portal that does not follow their job: another one does, as a process on the same PostgreSQL. */
import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { PostgresqlSession } from '@/lib/database/postgresql-kept-session'
import { db } from '@/lib/portal/base/db'
import { beatOnce } from '@/lib/portal/base/portals/join'
import { findPresentUsers, hearPresence, recordPresence } from '@/lib/portal/base/presence'
import { announceEnd } from '@/lib/portal/entry/stop'
import { isWatched } from '@/lib/portal/jobs/relay/bus'
import { watchElsewhere } from '@/lib/portal/jobs/relay/elsewhere'
import { watchJob } from '@/lib/portal/jobs/relay/watch-job'
import { stopFollowing } from '@/lib/portal/jobs/stop-following'
import { listServers } from '@/lib/portal/subjects/servers/list'
import { openPortalDatabase, runBeside } from '@/tests/support/portal-database'
import { upTo } from '@/tests/support/portal-install'
import { createTeam } from '@/tests/support/portal-team'
import { postgresqlMissing } from '@/tests/support/postgresql'
import { startPortal, takePart, untilReady } from '@/tests/support/shared-portals'
import { readSse } from '@/tests/support/sse-reader'
import { startUpstream, type Upstream } from '@/tests/support/upstream/upstream'

const patience = { timeout: 30_000 }

/** A job that a portal in another process follows. */
async function followElsewhere(upstream: Upstream, settings: Awaited<ReturnType<typeof openPortalDatabase>>['settings']) {
  const upstreamId = upstream.addServer({ name: 'alpha' })
  const team = await createTeam()
  const actor = await team.join('operator')
  await team.connect(upstream)
  const serverId = (await listServers(actor)).servers[0]?.id ?? ''
  const child = startPortal(settings, [serverId, actor.sessionId])
  await untilReady(child)
  const findJob = () => db().job.findFirst({ where: { eventCount: { gt: 0 } } })
  await expect.poll(findJob, patience).not.toBeNull()
  return { actor, child, upstreamId, jobId: (await findJob())?.id ?? '' }
}

test.skipIf(postgresqlMissing).each([
  { how: 'with hints', joins: true },
  { how: 'without any, by the poll alone', joins: false },
])('viewers of another portal see every line once, from any line on, and the end ($how)', async ({ joins }) => {
  await using portal = await openPortalDatabase({ engine: 'postgresql' })
  await using upstream = await startUpstream({ extensions: true, installLines: 80, msPerLine: 50 })
  await using _joined = joins ? await takePart() : null
  const { actor, jobId } = await followElsewhere(upstream, portal.settings)
  onTestFinished(watchElsewhere())
  const watch = async (after: string) =>
    readSse(await watchJob(actor, jobId, new Request('http://localhost/', { headers: { 'last-event-id': after } })))
  const viewers = [{ after: 0, reader: await watch('') }]
  for (const after of [1, 20, 40]) {
    await expect.poll(async () => (await db().job.findUniqueOrThrow({ where: { id: jobId } })).eventCount, patience).toBeGreaterThan(after)
    viewers.push({ after, reader: await watch(String(after)) })
  }
  for (const { after, reader } of viewers) {
    await reader.done
    expect(reader.seqs()).toEqual(upTo(80).slice(after))
    expect(JSON.parse(reader.events.at(-1)?.data ?? '')).toMatchObject({ state: 'done', eventCount: 80 })
  }
  expect(isWatched(jobId)).toBe(false)
})

test.skipIf(postgresqlMissing)('a job that another portal follows can be left, and that portal writes nothing more to it', async () => {
  await using portal = await openPortalDatabase({ engine: 'postgresql' })
  await using upstream = await startUpstream({ extensions: true, installLines: 300, msPerLine: 50 })
  await using _joined = await takePart()
  const { actor, jobId } = await followElsewhere(upstream, portal.settings)
  expect(await stopFollowing(actor, jobId, 'AAAAAAAAAAAAAAAAAAAAAA')).toMatchObject({ ok: true })
  const job = () => db().job.findUniqueOrThrow({ where: { id: jobId } })
  const { state, problemSentence, eventCount } = await job()
  expect([state, problemSentence]).toEqual(['interrupted', expect.stringContaining('A team member stopped following')])
  await delay(1_000)
  expect((await job()).eventCount).toBe(eventCount)
})

test.skipIf(postgresqlMissing)('who looks at what is told to the other portals', async () => {
  await using portal = await openPortalDatabase({ engine: 'postgresql' })
  await using _joined = await takePart()
  onTestFinished(hearPresence())
  const tell = () => runBeside(portal, `SELECT pg_notify('gatehouse', 'presence another-portal server-1 user-1')`)
  await expect.poll(() => tell().then(() => findPresentUsers('server-1')), patience).toEqual(['user-1'])
  const child = startPortal(portal.settings)
  await untilReady(child)
  await beatOnce()
  const heard: string[] = []
  const { portalPostgresql } = portal.settings
  if (!portalPostgresql) throw new Error('The portal is not on PostgreSQL.')
  let listens = false
  const session = new PostgresqlSession(portalPostgresql, {
    name: 'test',
    channel: 'gatehouse',
    opened: () => {
      listens = true
    },
    notified: (payload) => heard.push(payload.replace(/ \S+/, '')),
    closed: () => {},
  })
  await expect.poll(() => listens, patience).toBe(true)
  recordPresence('server-2', 'user-2')
  recordPresence('server-2', 'user-2')
  await expect.poll(() => heard, patience).toEqual(['presence server-2 user-2'])
  await session.close()
})

test.skipIf(postgresqlMissing)('a portal that is about to end sends its viewers elsewhere, and takes no more of them', async () => {
  await using portal = await openPortalDatabase({ engine: 'postgresql' })
  await using upstream = await startUpstream({ extensions: true, installLines: 60, msPerLine: 1_000 })
  const { actor, jobId } = await followElsewhere(upstream, portal.settings)
  const watch = () => watchJob(actor, jobId, new Request('http://localhost/'))
  const [reader] = [(await watch()).body?.getReader()]
  const read = async () => Buffer.from((await reader?.read())?.value ?? '').toString()
  expect(await read()).toContain('retry: 2000')
  announceEnd()
  let said = ''
  for (let piece = await read(); piece !== ''; piece = await read()) said += piece
  expect(said).toMatch(/retry: 500\n\n$/)
  expect(await (await watch()).text()).toMatch(/^retry: 500\n\n$/)
})
