import { expect, test } from 'vitest'
import { db } from '@/lib/portal/base/db'
import { createOpaqueId } from '@/lib/portal/base/opaque-id'
import type { Role } from '@/lib/portal/identity/actor'
import type { CronJob } from '@/lib/portal/subjects/cron/job'
import { removeJob, replaceJob } from '@/lib/portal/subjects/cron/remove'
import { listServers } from '@/lib/portal/subjects/servers/list'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { createTeam } from '@/tests/support/portal-team'
import { startUpstream, type Upstream } from '@/tests/support/upstream/upstream'
import type { Variant } from '@/tests/support/upstream/variants'

const job = (line: string, command: string): CronJob => ({
  line,
  command,
  user: 'root',
  minute: '30',
  hour: '4',
  dom: '*',
  mon: '*',
  dow: '*',
})

const at = (serverId: string) => ({ serverId, requestId: createOpaqueId() })

const undoable = { ok: true, data: { undo: expect.any(String) } }

/** A foreign service whose `line` is no more than a place, with these jobs on its one server. */
async function openJobs(upstream: Upstream, commands: readonly string[], role: Role = 'operator') {
  const upstreamId = upstream.addServer({ name: 'alpha' })
  const server = upstream.model.servers.get(upstreamId)
  if (!server) throw new Error('The server was not added.')
  const place = (names: readonly string[]) => {
    server.cronjobs = names.map((command, index) => ({ ...job(String(index + 1), command) }))
  }
  place(commands)
  const team = await createTeam()
  await team.connect(upstream)
  const operator = await team.join('operator')
  const [row] = (await listServers(operator)).servers
  const actor = role === 'operator' ? operator : await team.join(role)
  const path = (name: string) => `/servers/${upstreamId}/${name}`
  return { actor, serverId: row?.id ?? '', place, path, join: team.join, commands: () => server.cronjobs.map(({ command }) => command) }
}

test('the job that was seen is deleted wherever it is now, and never a neighbour', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream()
  const { actor, serverId, place, commands, path } = await openJobs(upstream, ['first', 'second', 'third'])
  place(['second', 'third'])
  expect(await removeJob(actor, at(serverId), job('2', 'second'))).toEqual(undoable)
  expect(commands()).toEqual(['third'])
  expect(await removeJob(actor, at(serverId), job('2', 'second'))).toMatchObject({ ok: false, problem: { code: 'changed_meanwhile' } })
  expect(commands()).toEqual(['third'])
  expect(upstream.callsTo('POST', path('deletecronjob'))).toHaveLength(1)
})

const handwritings: readonly Variant[] = [
  'bare-objects',
  'objects-by-number',
  'numbers',
  'nulls',
  'unknown-members',
  'byte-order-mark',
  'html-type',
]

test.each(handwritings)('a service that answers with %s is understood', async (variant) => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream()
  const { actor, serverId, commands } = await openJobs(upstream, ['only'])
  upstream.set(variant)
  expect(await removeJob(actor, at(serverId), job('1', 'only'))).toEqual(undoable)
  expect(commands()).toEqual([])
})

test('a job is replaced by saving the new one first; both steps are logged', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream()
  const { actor, serverId, commands } = await openJobs(upstream, ['before', 'other'])
  const { line: _line, ...next } = job('', 'after')
  expect(await replaceJob(actor, at(serverId), job('1', 'before'), next)).toEqual(undoable)
  expect(commands()).toEqual(['other', 'after'])
  const rows = await db().auditRow.findMany({ where: { objectId: serverId, stage: 'outcome' }, orderBy: { seq: 'asc' } })
  expect(rows.map(({ action, outcome }) => [action, outcome])).toEqual([
    ['cron.save', 'done'],
    ['cron.delete', 'done'],
  ])
})

test('if the new job is refused the old one stays; if the old one cannot be deleted the message says that both exist', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream()
  const { actor, serverId, commands, path } = await openJobs(upstream, ['before'])
  const { line: _line, ...next } = job('', 'after')
  upstream.set('success-false', { path: path('savecronjob'), times: 1 })
  expect(await replaceJob(actor, at(serverId), job('1', 'before'), next)).toMatchObject({ ok: false })
  expect(commands()).toEqual(['before'])
  upstream.set('success-false', { path: path('deletecronjob'), times: 1 })
  const said = await replaceJob(actor, at(serverId), job('1', 'before'), next)
  expect(said).toMatchObject({
    ok: false,
    problem: { sentence: expect.stringMatching(/^The new job is saved, but the old one may still exist\. /) },
  })
  expect(commands()).toEqual(['before', 'after'])
})

test('who changed or deleted the job meanwhile is said, and what it is now; changes at the service itself have no name', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream()
  const { actor, serverId, place, commands, join } = await openJobs(upstream, ['before', 'other', 'third'])
  const robin = await join('admin')
  const next = ({ line: _, ...fields }: CronJob) => fields
  const edit = (from: string, to: string) => replaceJob(actor, at(serverId), job('1', from), next(job('', to)))
  const refusal = (sentence: RegExp) => ({ ok: false, problem: { code: 'changed_meanwhile', sentence: expect.stringMatching(sentence) } })
  expect(await replaceJob(robin, at(serverId), job('1', 'before'), next(job('', 'after --secret')))).toEqual(undoable)
  expect(await edit('before', 'mine')).toMatchObject(refusal(/^The admin changed this job to “30 4 \* \* \* after …” on .* UTC\.$/))
  expect(await removeJob(robin, at(serverId), job('1', 'other'))).toEqual(undoable)
  expect(await edit('other', 'mine')).toMatchObject(refusal(/^The admin deleted this job on .* UTC\.$/))
  place(['after --secret'])
  expect(await edit('third', 'mine')).toMatchObject(refusal(/^This job was changed or deleted in the meantime\.$/))
  expect(commands()).toEqual(['after --secret'])
})

test('a deletion whose answer was cut is unknown and not sent again', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream()
  const { actor, serverId, path } = await openJobs(upstream, ['only'])
  upstream.set('reset-after', { path: path('deletecronjob') })
  expect(await removeJob(actor, at(serverId), job('1', 'only'))).toMatchObject({ ok: false, problem: { code: 'outcome_unknown' } })
  expect(upstream.callsTo('POST', path('deletecronjob'))).toHaveLength(1)
})

test('a viewer can neither delete nor replace, and the service is not called', async () => {
  await using _ = await openPortalDatabase()
  await using upstream = await startUpstream()
  const { actor, serverId } = await openJobs(upstream, ['only'], 'viewer')
  const before = upstream.calls.length
  const { line: _line, ...next } = job('', 'after')
  expect(await removeJob(actor, at(serverId), job('1', 'only'))).toMatchObject({ ok: false, problem: { code: 'forbidden' } })
  expect(await replaceJob(actor, at(serverId), job('1', 'only'), next)).toMatchObject({ ok: false, problem: { code: 'forbidden' } })
  expect(await replaceJob(actor, at(serverId), job('1', 'only'), job('', 'only'))).toMatchObject({
    ok: false,
    problem: { code: 'forbidden' },
  })
  expect(await removeJob(actor, at('not-one-of-ours'), job('1', 'only'))).toMatchObject({ ok: false, problem: { code: 'forbidden' } })
  expect(upstream.calls.length).toBe(before)
})
