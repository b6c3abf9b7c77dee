/** The portal's own database fails once while targets run: the batch continues afterwards, and no target gets an outcome that is not true. */
import { expect, test, vi } from 'vitest'
import { db } from '@/lib/portal/base/db'
import { runBatch } from '@/lib/portal/batches/runner'
import { findBatch } from '@/lib/portal/batches/view'
import { openScene, statesOf } from './scene'

/** Refuses the nth read of whether a batch was stopped. */
function failReadOfStop(nth: number) {
  const { batch } = db()
  const real = batch.findUnique.bind(batch)
  let asked = 0
  return vi.spyOn(batch, 'findUnique').mockImplementation(((args: Parameters<typeof real>[0]) => {
    if (args.select?.stoppedAt && ++asked === nth) return Promise.reject(new Error('disk I/O error'))
    return real(args)
  }) as never)
}

test('after one failed read, what runs is watched to its end, and the rest begins then', { timeout: 90_000 }, async () => {
  await using scene = await openScene({ servers: 2, sites: 3 })
  const { upstream } = scene
  // Longer than the runner waits before it tries again.
  upstream.model.siteLines = { steps: ['archive', 'check'], msPerLine: 6_500 }
  const failing = failReadOfStop(3)
  try {
    const started = await scene.start()
    const id = started.ok ? started.data.batchId : ''
    await expect.poll(() => upstream.calls.filter(({ path }) => path.endsWith('/backup/creates')).length, { timeout: 10_000 }).toBe(2)
    await expect.poll(() => statesOf(id)).toEqual(['running', 'running', 'waiting'])
    upstream.model.siteLines = { steps: ['archive', 'check'], msPerLine: 50 }
    await runBatch(id)
    expect(await statesOf(id)).toEqual(['done', 'done', 'done'])
    expect(scene.backups()).toEqual([1, 1, 1])
    expect(await findBatch(scene.actor, id)).toMatchObject({ endedAt: expect.any(String), problem: null })
  } finally {
    failing.mockRestore()
  }
})

test('a request that is still open then is waited for, and its outcome is the one of its answer', { timeout: 90_000 }, async () => {
  await using scene = await openScene({ sites: 0 })
  const servers = await db().server.findMany()
  // The answer comes in pieces, after the runner has tried again.
  scene.upstream.set('slow-body', { path: `/servers/${scene.serverIds[0]}/reboot` })
  const failing = failReadOfStop(2)
  try {
    const id = await scene.run({
      operation: 'servers.reboot',
      confirmName: '1',
      targets: servers.map((row) => ({ id: row.id, fields: {} })),
    })
    expect(await statesOf(id)).toEqual(['done'])
    const rows = await db().auditRow.findMany({ where: { action: 'servers.reboot', stage: 'outcome' } })
    expect(rows.map(({ outcome }) => outcome)).toEqual(['done'])
  } finally {
    failing.mockRestore()
  }
})
