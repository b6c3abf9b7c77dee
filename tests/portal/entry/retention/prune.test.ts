/** What the portal forgets in time, and what it never does. */
import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { recordAudit } from '@/lib/portal/audit/record'
import { verifyAudit } from '@/lib/portal/audit/verify'
import { db } from '@/lib/portal/base/db'
import { prune } from '@/lib/portal/entry/retention/prune'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { createTeam } from '@/tests/support/portal-team'

const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 60 * 60_000)

/** A job with two lines; without `ended` it still runs. */
async function makeJob(teamId: string, started: Date, ended: Date | null): Promise<string> {
  const id = randomBytes(16).toString('base64url')
  const line = { at: started, step: 's', progress: 1, status: 'running', message: 'm' }
  const job = {
    id,
    teamId,
    operation: 'servers.install',
    targetName: 't',
    state: ended ? ('done' as const) : ('running' as const),
    lease: 'l',
  }
  const events = { create: [1, 2].map((seq) => ({ seq, ...line })) }
  await db().job.create({ data: { ...job, startedAt: started, heardAt: started, endedAt: ended, eventCount: 2, events } })
  return id
}

test('lines are deleted after 180 days, jobs after a year; running jobs and the audit log stay, and the deletion is logged', async () => {
  await using _portal = await openPortalDatabase()
  const { id: teamId } = await createTeam()
  await recordAudit({
    teamId,
    actor: { kind: 'nobody' },
    action: 'session.signIn',
    object: { kind: 'user', id: null },
    stage: 'event',
    outcome: 'failed',
  })
  const fresh = await makeJob(teamId, daysAgo(179), daysAgo(179))
  const old = await makeJob(teamId, daysAgo(181), daysAgo(181))
  const ancient = await makeJob(teamId, daysAgo(366), daysAgo(366))
  const running = await makeJob(teamId, daysAgo(400), null)
  expect(await prune({ kind: 'operator' })).toEqual({ lines: 4, jobs: 1, undos: 0 })
  const left = await db().job.findMany({ include: { _count: { select: { events: true } } } })
  expect(new Map(left.map(({ id, _count }) => [id, _count.events]))).toEqual(
    new Map([
      [fresh, 2],
      [old, 0],
      [running, 2],
    ]),
  )
  expect(left.some(({ id }) => id === ancient)).toBe(false)
  const record = await db().auditRow.findMany({ orderBy: { seq: 'asc' } })
  expect(record.map(({ action }) => action)).toEqual(['session.signIn', 'retention.prune'])
  expect(JSON.parse(record[1]?.detail ?? '')).toEqual({ lines: 4, jobs: 1, undos: 0 })
  expect((await verifyAudit()).ok).toBe(true)
})

test('if there is nothing to delete, nothing is logged', async () => {
  await using _portal = await openPortalDatabase()
  expect(await prune({ kind: 'gatehouse' })).toEqual({ lines: 0, jobs: 0, undos: 0 })
  expect(await db().auditRow.count()).toBe(0)
})
