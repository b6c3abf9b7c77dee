/** What runs as a batch, and what certainly happened to a target whose process died. */
import { expect, test } from 'vitest'
import { operations } from '@/lib/contract'
import { problem } from '@/lib/contract/problem'
import { recordAudit } from '@/lib/portal/audit/record'
import { db } from '@/lib/portal/base/db'
import { createOpaqueId } from '@/lib/portal/base/opaque-id'
import { findBatchKind } from '@/lib/portal/batches/kinds'
import { repeatBatch } from '@/lib/portal/batches/repeat'
import { resumeBatches, runBatch } from '@/lib/portal/batches/runner'
import { findBatch } from '@/lib/portal/batches/view'
import { findJob } from '@/lib/portal/jobs/view'
import { listServers } from '@/lib/portal/subjects/servers/list'
import { forgetProcess } from '@/tests/support/reset-process'
import { openScene, statesOf } from './scene'

async function openServers() {
  const scene = await openScene({ servers: 3, sites: 0 })
  const { servers } = await listServers(scene.actor)
  const ids = scene.serverIds.map((_, index) => servers.find(({ name }) => name === `server-${index}`)?.id ?? '')
  return { ...scene, ids, targets: ids.map((id) => ({ id, fields: {} })) }
}

test('no batch stores a secret: none is among the fields that its targets may have', () => {
  const kinds = operations.filter(({ id }) => findBatchKind(id))
  expect(kinds.length).toBeGreaterThan(3)
  const secret = ({ id, fields }: (typeof kinds)[number]) =>
    Object.entries(fields).filter(([name, { kind }]) => kind === 'secret' && findBatchKind(id)?.fields.includes(name))
  expect(kinds.flatMap(secret)).toEqual([])
})

test.each<[operation: string, title: string, path: RegExp, fields?: Record<string, string>]>([
  ['servers.summary', 'Check 3 servers', /\/summary$/],
  ['servers.install', 'Install 3 servers', /\/install$/],
  ['servers.upgrade', 'Bring 3 servers up to date', /\/upgrade$/],
  ['servers.applyUpdates', 'Install security updates on 3 servers', /\/updates$/, { security: '1' }],
  ['servers.applyUpdates', 'Install updates on 3 servers', /\/updates$/, { security: '0' }],
])('%s: once on each server, as %s', async (operation, title, path, fields = {}) => {
  await using scene = await openServers()
  const id = await scene.run({ operation, targets: scene.targets.map((target) => ({ ...target, fields })) })
  expect(await findBatch(scene.actor, id)).toMatchObject({ title, counts: { done: 3 }, confirms: false })
  expect(scene.upstream.calls.filter((call) => path.test(call.path)).length).toBe(3)
})

test('copies are made only to a backup target that the starter may use', async () => {
  await using scene = await openScene({ sites: 2 })
  const other = await scene.team.join('admin')
  const about = { teamId: scene.actor.team.id, label: 'Private', address: '{}', sealed: new Uint8Array(), kekId: '', secretVersion: 1 }
  const targetId = createOpaqueId()
  await db().backupTarget.create({ data: { id: targetId, ownerId: other.user.id, kind: 's3', checkedAt: new Date(), ...about } })
  const targets = scene.siteIds.map((id) => ({ id, fields: { targetId } }))
  const id = await scene.run({ operation: 'copies.make', targets })
  expect(await findBatch(scene.actor, id)).toMatchObject({ title: 'Copy the newest backup of 2 sites', counts: { failed: 2 } })
  const rows = await db().batchTarget.findMany({ where: { batchId: id } })
  expect(rows.map(({ problemCode }) => problemCode)).toEqual(['not_found', 'not_found'])
  expect(await db().backupCopy.count()).toBe(0)
})

test('reboots and deletions need the typed number, and a deletion a fresh sign-in', async () => {
  await using scene = await openServers()
  const { targets, upstream, ids, actor } = scene
  for (const operation of ['servers.reboot', 'servers.delete']) {
    for (const confirmName of ['', '2', 'server-0']) {
      expect(await scene.start({ operation, targets, confirmName })).toMatchObject({
        problem: { fields: { confirmName: 'Type 3 to confirm.' } },
      })
    }
  }
  const stepUp = async () => problem('invalid', { fields: { password: 'Enter your password.' } })
  expect(await scene.start({ operation: 'servers.delete', targets, confirmName: '3', stepUp })).toMatchObject({
    problem: { code: 'invalid' },
  })
  expect(await db().batch.count()).toBe(0)
  const rebooted = await scene.run({ operation: 'servers.reboot', targets, confirmName: ' 3 ' })
  expect(await statesOf(rebooted)).toEqual(['done', 'done', 'done'])
  const started = await scene.start({ operation: 'servers.delete', targets, confirmName: '3' })
  const id = started.ok ? started.data.batchId : ''
  await runBatch(id)
  expect(await statesOf(id)).toEqual(['done', 'done', 'done'])
  expect(upstream.model.servers.size).toBe(0)
  expect(await db().server.count({ where: { id: { in: ids }, goneAt: null } })).toBe(0)
  expect((await findBatch(actor, id))?.targets.map(({ name }) => name)).toEqual(['server-0', 'server-1', 'server-2'])
})

test('after a kill the log tells of each quick change whether it was sent: an open intent is unknown, is not sent again, nor repeated', async () => {
  await using scene = await openServers()
  const { actor, team, ids, upstream } = scene
  const [id, lease] = [createOpaqueId(), 'of a process that was killed']
  const batch = { id, teamId: team.id, startedById: actor.user.id, sessionId: actor.sessionId, operation: 'servers.reboot', lease }
  const requestIds = [createOpaqueId(), createOpaqueId(), createOpaqueId()]
  const rows = ids.map((serverId, seq) => ({
    seq,
    serverId,
    name: `server-${seq}`,
    requestId: requestIds[seq] ?? '',
    state: 'running' as const,
    startedAt: new Date(),
  }))
  await db().batch.create({ data: { ...batch, mode: 'goOn', atOnce: 4, targets: { create: rows } } })
  const note = (seq: number, stage: 'intent' | 'outcome', outcome: 'asked' | 'done') =>
    recordAudit({
      requestId: requestIds[seq] ?? '',
      teamId: team.id,
      action: 'servers.reboot',
      stage,
      outcome,
      detail: {},
      actor: { kind: 'user', id: actor.user.id, sessionId: actor.sessionId },
      object: { kind: 'server', id: ids[seq] ?? '' },
    })
  await note(0, 'intent', 'asked')
  await note(1, 'intent', 'asked')
  await note(1, 'outcome', 'done')
  const calls = upstream.calls.length
  forgetProcess()
  await resumeBatches()
  await runBatch(id)
  expect(await statesOf(id)).toEqual(['unknown', 'done', 'done'])
  const sent = upstream.calls.slice(calls).filter(({ path }) => path.endsWith('/reboot'))
  expect(sent.map(({ path }) => path)).toEqual([`/servers/${scene.serverIds[2]}/reboot`])
  const again = { batchId: id, confirmName: '1', stepUp: async () => null }
  expect(await repeatBatch(actor, again, createOpaqueId())).toMatchObject({ problem: { code: 'changed_meanwhile' } })
})

test('an app is installed on several sites, each with credentials of its own, and sites are deleted by their number', async () => {
  await using scene = await openScene({ sites: 2 })
  const { upstream, upstreamIds, siteIds, actor } = scene
  for (const site of upstream.model.sites.values()) site.app = { name: '', version: '' }
  const targets = siteIds.map((id) => ({ id, fields: { app: 'dokuwiki' } }))
  const id = await scene.run({ operation: 'apps.install', targets })
  expect(await statesOf(id)).toEqual(['done', 'done'])
  expect(upstreamIds.map((site) => upstream.model.sites.get(site)?.app.name)).toEqual(['dokuwiki', 'dokuwiki'])
  const jobs = await Promise.all((await findBatch(actor, id))?.targets.map(({ job }) => findJob(actor, job?.id ?? '')) ?? [])
  expect(jobs.map((job) => job?.credentialsFor)).toEqual([actor.user.id, actor.user.id])
  const refused = await scene.run({ operation: 'apps.install', targets: [{ id: siteIds[0] ?? '', fields: { app: '../x' } }] })
  expect((await findBatch(actor, refused))?.targets[0]?.problem?.sentence).toBe('Enter the name of an app, such as wordpress.')
  expect(await scene.start({ operation: 'sites.delete' })).toMatchObject({ problem: { code: 'invalid' } })
  expect(await statesOf(await scene.run({ operation: 'sites.delete', confirmName: '2' }))).toEqual(['done', 'done'])
  expect(upstream.model.sites.size).toBe(0)
})
