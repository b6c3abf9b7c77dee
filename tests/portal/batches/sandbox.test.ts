/** A large batch against the bundled service: its portal is killed twice, and every site has one outcome and one backup. */
import { expect, test } from 'vitest'
import { db } from '@/lib/portal/base/db'
import { createOpaqueId } from '@/lib/portal/base/opaque-id'
import { repeatBatch } from '@/lib/portal/batches/repeat'
import { runBatch } from '@/lib/portal/batches/runner'
import { listServers } from '@/lib/portal/subjects/servers/list'
import { listSites } from '@/lib/portal/subjects/sites/list'
import { getSettings } from '@/lib/settings/settings'
import { register } from '@/tests/service/conformance/servers'
import { get, readInstall } from '@/tests/service/support/caller'
import { openTestService } from '@/tests/service/support/service'
import { createSite } from '@/tests/service/support/slow-work'
import { signedInLately } from '@/tests/support/own-input'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { createTeam } from '@/tests/support/portal-team'
import { seededRuns } from '@/tests/support/seeds'
import { hear, kill, startProcess } from './processes'
import { statesOf } from './scene'

const count = seededRuns(200)

test('sandbox backups whose portal is killed twice: one outcome and one backup each', { timeout: 900_000 }, async () => {
  await using service = await openTestService()
  await using _portal = await openPortalDatabase()
  for (let number = 0; number < 4; number += 1) {
    const login = { provider: 'sandbox', host: `batch-${number}.test`, port: '22', user: 'root', pass: 'let me in, please' }
    const { id } = await register(service, login, `batch-${number}`)
    await readInstall(service, id)
    for (let site = number; site < count; site += 4) {
      expect(await createSite(service, { domain: `site-${site}.example`, server: id, password: 'a harbour' })).toMatchObject({
        status: 200,
      })
    }
  }
  const team = await createTeam()
  const actor = await team.join('operator')
  await team.connect({ origin: service.baseUrl, key: service.key })
  await listServers(actor)
  const { sites } = await listSites(actor)
  expect(sites).toHaveLength(count)
  const ended = async () => db().batchTarget.count({ where: { endedAt: { not: null } } })
  const targets = JSON.stringify(sites.map(({ id }) => ({ id, fields: {} })))
  for (const [part, args] of [[actor.sessionId, 'backups.create', targets], []].entries()) {
    const child = startProcess(getSettings(), args)
    await hear(child, 'ready')
    await expect.poll(ended, { timeout: 300_000, interval: 20 }).toBeGreaterThanOrEqual(Math.floor(((part + 1) * count) / 3))
    await kill(child)
  }
  const { id } = await db().batch.findFirstOrThrow()
  expect(await ended()).toBeLessThan(count)
  await hear(startProcess(getSettings(), []), 'over')
  const states = await statesOf(id)
  const failed = await db().batchTarget.findMany({ where: { batchId: id, state: { not: 'done' } } })
  // Killed between the job's row and its request: the service does not know the job, so it did nothing.
  expect(failed.filter(({ state, problemCode }) => state !== 'failed' || problemCode !== 'no_install')).toEqual([])
  expect([states.length, failed.length <= 8]).toEqual([count, true])
  if (failed.length > 0) {
    const again = await repeatBatch(actor, { batchId: id, confirmName: '', stepUp: signedInLately }, createOpaqueId())
    if (!again.ok) throw new Error(again.problem.sentence)
    await runBatch(again.data.batchId)
    expect(new Set(await statesOf(again.data.batchId))).toEqual(new Set(['done']))
  }
  const made = await Promise.all(
    (await db().site.findMany()).map(async ({ upstreamId }) => {
      const { body } = await get(service, `/sites/${upstreamId}/backups`)
      return (body.items as { reason?: string }[]).filter(({ reason }) => reason === 'manual').length
    }),
  )
  expect([made.length, new Set(made)]).toEqual([count, new Set([1])])
})
