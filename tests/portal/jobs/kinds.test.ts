/** What the portal says of a job's kind, also of one that a newer version stored before somebody went back to this one. */
import { expect, test } from 'vitest'
import { isSlowOperation, operations } from '@/lib/contract'
import { db } from '@/lib/portal/base/db'
import { createOpaqueId } from '@/lib/portal/base/opaque-id'
import { jobKinds } from '@/lib/portal/jobs/kinds'
import { asksService } from '@/lib/portal/jobs/relay/conclude'
import { nameOfKind, titleOfJob } from '@/lib/portal/jobs/title'
import { listJobChoices, listJobs } from '@/lib/portal/jobs/view'
import { describeNotification } from '@/lib/portal/views/notifications/sentences'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { createTeam } from '@/tests/support/portal-team'

test('the slow operations of the contract are jobs, and no others', () => {
  const slow = operations.filter(({ pace }) => pace === 'slow').map(({ id }) => id)
  expect(operations.map(({ id }) => id).filter(isSlowOperation)).toEqual(slow)
  expect(Object.keys(jobKinds).sort()).toEqual(slow.sort())
})

test('each kind of job has a title, a name and words for its failure of its own', () => {
  const ids = operations.map(({ id }) => id).filter(isSlowOperation)
  const failures = ids.map((operation) => describeNotification('job_failed', { operation, name: 'alpha' }))
  for (const told of [ids.map((id) => titleOfJob(id, 'alpha')), ids.map(nameOfKind), failures]) expect(new Set(told).size).toBe(ids.length)
  expect(describeNotification('job_failed', { operation: 'backups.create', name: 'alpha' })).toBe('Backing up alpha failed.')
})

test('a domain in punycode is shown as people read it; the name of a server stays as it is', () => {
  expect(titleOfJob('backups.create', 'xn--mnchen-3ya.example')).toBe('Back up münchen.example')
  expect(titleOfJob('servers.install', 'Web-01')).toBe('Install Web-01')
  const failed = { operation: 'sites.create', name: 'shop.xn--mnchen-3ya.example' }
  expect(describeNotification('job_failed', failed)).toBe('Creating shop.münchen.example failed.')
})

test('a job of an operation that this version does not know is listed as one, and as nothing else', async () => {
  await using _ = await openPortalDatabase()
  const team = await createTeam()
  const owner = await team.join('owner')
  const at = new Date()
  const job = { id: createOpaqueId(), teamId: team.id, operation: 'sites.teleport', targetName: 'alpha', state: 'failed' as const }
  await db().job.create({ data: { ...job, lease: '', startedById: owner.user.id, startedAt: at, heardAt: at, endedAt: at } })
  expect(await listJobs(owner)).toMatchObject([{ operation: null, title: 'Job on alpha', repeatable: false }])
  expect((await listJobChoices(owner)).kinds).toEqual([])
  expect(asksService('sites.teleport')).toBe(false)
  expect(describeNotification('job_failed', { operation: 'sites.teleport', name: 'alpha' })).toBe('A job on alpha failed.')
})
