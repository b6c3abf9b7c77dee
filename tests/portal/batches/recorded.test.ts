/** What the audit log says of a batch that could not be started or stopped. */
import { expect, test } from 'vitest'
import { readDetail } from '@/lib/portal/audit/read-detail'
import { db } from '@/lib/portal/base/db'
import { createOpaqueId } from '@/lib/portal/base/opaque-id'
import { runBatch } from '@/lib/portal/batches/runner'
import { stopBatch } from '@/lib/portal/batches/stop'
import { findBatch } from '@/lib/portal/batches/view'
import { listServers } from '@/lib/portal/subjects/servers/list'
import { openScene, statesOf } from './scene'

const rowsOf = async (action: string) =>
  (await db().auditRow.findMany({ where: { action }, orderBy: { seq: 'asc' } })).map(({ stage, outcome }) => [stage, outcome])

/** Refuses a statement on the table of batches, as a full disk does. */
async function refusing<T>(statement: string, run: () => Promise<T>): Promise<T> {
  await db().$executeRawUnsafe(`CREATE TRIGGER refusing BEFORE ${statement} BEGIN SELECT RAISE(ABORT, 'disk is full'); END`)
  try {
    return await run()
  } finally {
    await db().$executeRawUnsafe('DROP TRIGGER refusing')
  }
}

test('a batch that could not be stored was asked for and failed; one that was stored is done', async () => {
  await using scene = await openScene({ sites: 1 })
  await expect(refusing('INSERT ON Batch', () => scene.start())).rejects.toThrow()
  const failed = [
    ['intent', 'asked'],
    ['outcome', 'failed'],
  ]
  expect([await db().batch.count(), await rowsOf('batches.start')]).toEqual([0, failed])
  await scene.run()
  expect(await rowsOf('batches.start')).toEqual([...failed, ['intent', 'asked'], ['outcome', 'done']])
})

test('a stop that could not be stored was asked for and failed, and the batch continues', async () => {
  await using scene = await openScene({ sites: 2 })
  scene.upstream.model.siteLines = { steps: ['archive', 'check'], msPerLine: 500 }
  const started = await scene.start()
  const id = started.ok ? started.data.batchId : ''
  await expect.poll(() => statesOf(id)).toEqual(['running', 'waiting'])
  await expect(refusing('UPDATE OF stoppedAt ON Batch', () => stopBatch(scene.actor, id, createOpaqueId()))).rejects.toThrow()
  expect(await rowsOf('batches.stop')).toEqual([
    ['intent', 'asked'],
    ['outcome', 'failed'],
  ])
  await runBatch(id)
  expect(await statesOf(id)).toEqual(['done', 'done'])
})

test('of two that stop it, the second is refused, and the log has both', async () => {
  await using scene = await openScene({ sites: 2 })
  scene.upstream.model.siteLines = { steps: ['archive', 'check'], msPerLine: 500 }
  const started = await scene.start()
  const id = started.ok ? started.data.batchId : ''
  expect(await stopBatch(scene.actor, id, createOpaqueId())).toEqual({ ok: true, data: {} })
  expect(await stopBatch(scene.actor, id, createOpaqueId())).toMatchObject({ problem: { code: 'changed_meanwhile' } })
  expect(await rowsOf('batches.stop')).toEqual([
    ['intent', 'asked'],
    ['outcome', 'done'],
    ['intent', 'asked'],
    ['outcome', 'failed'],
  ])
  await runBatch(id)
})

test('its start and its stop are called in the log as on its page: security updates are not just updates', async () => {
  await using scene = await openScene({ servers: 2, sites: 0 })
  const { servers } = await listServers(scene.actor)
  const targets = servers.map(({ id }) => ({ id, fields: { security: '1' } }))
  const started = await scene.start({ operation: 'servers.applyUpdates', targets })
  const id = started.ok ? started.data.batchId : ''
  expect(await stopBatch(scene.actor, id, createOpaqueId())).toEqual({ ok: true, data: {} })
  await runBatch(id)
  const rows = await db().auditRow.findMany({ where: { objectKind: 'batch', stage: 'intent' }, orderBy: { seq: 'asc' } })
  const title = 'Install security updates on 2 servers'
  expect(rows.map(({ action, detail }) => [action, readDetail(detail).name])).toEqual([
    ['batches.start', title],
    ['batches.stop', title],
  ])
  expect((await findBatch(scene.actor, id))?.title).toBe(title)
})
