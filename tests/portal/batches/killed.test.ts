/** A portal that is killed while it runs a batch: the next one continues, each target has one outcome, and nothing is done twice. */
import { expect, test } from 'vitest'
import { db } from '@/lib/portal/base/db'
import type { GivenTarget } from '@/lib/portal/batches/start'
import type { Person } from '@/lib/portal/identity/actor'
import { getSettings } from '@/lib/settings/settings'
import { hear, kill, startProcess } from './processes'
import { openScene, statesOf } from './scene'

const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)

/** Starts the batch, and kills each of three processes at some moment. Returns its id and the states that the last one found. */
async function killThrice(actor: Person, operation: string, targets: readonly GivenTarget[]): Promise<{ id: string; before: string[] }> {
  for (const [index, args] of [[actor.sessionId, operation, JSON.stringify(targets)], [], []].entries()) {
    const child = startProcess(getSettings(), args)
    await hear(child, 'ready')
    await new Promise((resolve) => setTimeout(resolve, (seed * (index + 1)) % 250))
    await kill(child)
  }
  const { id } = await db().batch.findFirstOrThrow()
  const before = await statesOf(id)
  await hear(startProcess(getSettings(), []), 'over')
  return { id, before }
}

test('killed several times, a batch of backups continues where it was', { timeout: 300_000 }, async () => {
  await using scene = await openScene({ servers: 4, sites: 24 })
  scene.upstream.model.siteLines = { steps: ['archive', 'check'], msPerLine: 60 }
  const targets = scene.siteIds.map((id) => ({ id, fields: {} }))
  const { id, before } = await killThrice(scene.actor, 'backups.create', targets)
  const states = await statesOf(id)
  const context = `seed ${seed}, before the last process ${before.join(' ')}, after it ${states.join(' ')}`
  expect(before, context).toContain('waiting')
  // A job whose request never arrived has failed, and certainly did nothing.
  expect(
    states.filter((state) => state !== 'done' && state !== 'failed'),
    context,
  ).toEqual([])
  expect(scene.backups(), context).toEqual(states.map((state) => (state === 'done' ? 1 : 0)))
})

test('killed several times, a batch of aliases continues where it was', { timeout: 300_000 }, async () => {
  await using scene = await openScene({ sites: 1 })
  const [siteId = ''] = scene.siteIds
  const site = scene.upstream.model.sites.get(scene.upstreamIds[0] ?? '')
  const known = site?.aliases.length ?? 0
  scene.upstream.model.siteLines = { steps: ['names', 'check'], msPerLine: 60 }
  const names = Array.from({ length: 12 }, (_, index) => `alias-${index}.example`)
  const { id, before } = await killThrice(
    scene.actor,
    'aliases.save',
    names.map((alias) => ({ id: siteId, fields: { alias } })),
  )
  const states = await statesOf(id)
  const context = `seed ${seed}, before the last process ${before.join(' ')}, after it ${states.join(' ')}`
  expect(before, context).toContain('waiting')
  expect(
    states.filter((state) => state !== 'done' && state !== 'failed'),
    context,
  ).toEqual([])
  expect(site?.aliases.slice(known), context).toEqual(names.filter((_, index) => states[index] === 'done'))
})

test('killed while the certificate for new aliases is ordered: the next process waits for that order', { timeout: 120_000 }, async () => {
  await using scene = await openScene({ sites: 1 })
  const [siteId = '', upstreamId = ''] = [scene.siteIds[0], scene.upstreamIds[0]]
  const site = scene.upstream.model.sites.get(upstreamId)
  if (!site) throw new Error('The service has no site.')
  Object.assign(site, { ssl: true, certificate: { covered: [site.domain], issued: '', expires: '' } })
  scene.upstream.model.siteLines = { steps: ['names', 'check'], msPerLine: 2_500 }
  // The last is refused, so the certificate is ordered after it.
  const targets = ['a.example', site.domain].map((alias) => ({ id: siteId, fields: { alias } }))
  const child = startProcess(getSettings(), [scene.actor.sessionId, 'aliases.save', JSON.stringify(targets)])
  await hear(child, 'ready')
  const orders = () => scene.upstream.callsTo('POST', `/sites/${upstreamId}/setssl`).length
  await expect.poll(orders, { timeout: 60_000 }).toBe(1)
  await kill(child)
  expect(site.certificate?.covered).toEqual([site.domain])
  await hear(startProcess(getSettings(), []), 'over')
  const { id, problemSentence } = await db().batch.findFirstOrThrow()
  expect([await statesOf(id), problemSentence]).toEqual([['done', 'failed'], null])
  expect(site.certificate?.covered).toEqual(expect.arrayContaining(['a.example']))
  expect(await db().job.findMany({ where: { operation: 'ssl.set' } })).toMatchObject([{ state: 'done', batchId: id }])
})
