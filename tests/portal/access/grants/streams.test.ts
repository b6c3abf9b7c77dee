/** The stream of a job ends for whoever loses the access to it, by hand or by its time, and continues for the others. */
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, expect, test, vi } from 'vitest'
import { db } from '@/lib/portal/base/db'
import { createOpaqueId } from '@/lib/portal/base/opaque-id'
import type { Person } from '@/lib/portal/identity/actor'
import { watchJob } from '@/lib/portal/jobs/relay/watch-job'
import { endAccess } from '@/lib/portal/subjects/team/access/change'
import { inputOf } from '@/tests/support/own-input'
import { readSse } from '@/tests/support/sse-reader'
import { give, openScene } from './scene'

afterEach(() => void vi.useRealTimers())

const patience = { timeout: 20_000 }
const quick = { heartbeatMs: 50, recheckMs: 50, patienceMs: 200 }

/** A job that another process is said to follow, so that nothing ends it. */
async function storeJob({ team, idOf }: Awaited<ReturnType<typeof openScene>>): Promise<string> {
  const id = createOpaqueId()
  const at = new Date()
  const line = { seq: 1, at, step: 'files', progress: 1, status: 'running', message: 'a first line' }
  const running = {
    state: 'running' as const,
    lease: 'somebody else',
    eventCount: 1,
    startedAt: at,
    heardAt: new Date(at.getTime() + 3_600_000),
  }
  const target = { operation: 'backups.create', siteId: idOf('shop.heron.example'), targetName: 'shop.heron.example' }
  await db().job.create({ data: { id, teamId: team.id, ...target, ...running, events: { create: line } } })
  return id
}

const open = (actor: Person, jobId: string) => watchJob(actor, jobId, new Request(`http://localhost/api/jobs/${jobId}/events`), quick)

test.each(['ended by hand', 'ended by its time'])('a stream is over once the access is %s, and not before', async (how) => {
  await using scene = await openScene()
  const guest = await scene.team.join('guest')
  const until = new Date(Date.now() + 60_000)
  const grantId = await give(guest, { kind: 'site', id: scene.idOf('shop.heron.example') }, { subjects: ['backups'], until })
  const jobId = await storeJob(scene)
  const [theirs, owners] = [readSse(await open(guest, jobId)), readSse(await open(scene.owner, jobId))]
  await expect.poll(() => [theirs.seqs(), owners.seqs()], patience).toEqual([[1], [1]])
  await pause(300)
  expect(theirs.closed).toBe(false)
  if (how === 'ended by hand') await endAccess(inputOf(scene.owner, { grantId }))
  else vi.useFakeTimers({ now: until, toFake: ['Date'] })
  await theirs.done
  expect((await open(guest, jobId)).status).toBe(404)
  await pause(300)
  expect(owners.closed).toBe(false)
  await owners.leave()
})
