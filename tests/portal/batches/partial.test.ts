/** A batch on several servers or sites, by somebody who may do it at some of them only. */
import { expect, test } from 'vitest'
import { formatDenied, mayAtOf, splitByAccess } from '@/app/_shared/batches/left-out'
import { offerChoices } from '@/app/(portal)/servers/bulk-actions'
import { db } from '@/lib/portal/base/db'
import { createOpaqueId } from '@/lib/portal/base/opaque-id'
import { listBatchOffers, listOffersEverywhere } from '@/lib/portal/batches/offers'
import { runBatch } from '@/lib/portal/batches/runner'
import { startBatch } from '@/lib/portal/batches/start'
import { findBatch } from '@/lib/portal/batches/view'
import type { Person } from '@/lib/portal/identity/actor'
import { signedInLately } from '@/tests/support/own-input'
import { give, openScene } from '../access/grants/scene'
import { lend, openLending } from '../access/loans/scene'
import { statesOf } from './scene'

const start = (actor: Person, operation: string, ids: readonly string[], confirmName = '') => {
  const targets = ids.map((id) => ({ id, fields: {} }))
  return startBatch(actor, { operation, mode: 'goOn', atOnce: '1', confirmName, stepUp: signedInLately, targets }, createOpaqueId())
}

/** A guest who views all sites of the first server, and backs up one of them and the site of the second server. */
async function openPartial() {
  const scene = await openScene()
  const guest = await scene.team.join('guest')
  const sites = ['shop.heron.example', 'blog.heron.example', 'shop.otter.example'].map((domain) => ({ id: scene.idOf(domain), domain }))
  const [shop, blog, otter] = sites.map(({ id }) => id)
  await give(guest, { kind: 'server', id: scene.idOf('heron-1') })
  await give(guest, { kind: 'site', id: shop ?? '' }, { subjects: ['backups'], effects: ['read', 'change'] })
  const grantId = await give(guest, { kind: 'site', id: otter ?? '' }, { subjects: ['backups'], effects: ['read', 'change'] })
  return {
    scene,
    guest,
    sites,
    grantId,
    shop: shop ?? '',
    blog: blog ?? '',
    otter: otter ?? '',
  }
}

test('an action for several is offered at the places where the member may do it, and what is left out is named before it starts', async () => {
  const { scene, guest, sites, shop, otter } = await openPartial()
  await using _ = scene
  const mayAt = mayAtOf(await listBatchOffers(guest, 'site'))
  const split = (operation: string) => splitByAccess('site', sites, { mayAt, operation, nameOf: ({ domain }) => domain })
  expect(split('backups.create').allowed.map(({ id }) => id)).toEqual([shop, otter])
  expect(split('backups.create').said).toBe(
    '2 of 3 sites: blog.heron.example is left out, because your access does not include this there.',
  )
  expect(split('sites.delete').allowed).toEqual([])
  expect(formatDenied('site')).toContain('for any of the selected sites')
  const servers = ['heron-1', 'otter-1'].map((name) => ({ id: scene.idOf(name), name, extensions: true }))
  const choices = offerChoices(servers, mayAtOf(await listBatchOffers(guest, 'server')))
  expect(choices.map(({ label, ids, left }) => [label, ids, left])).toEqual([['Check now', [scene.idOf('heron-1')], 1]])
  expect(choices[0]?.description).toContain('otter-1 is left out')
})

test('members with access to everything need no list: what their role allows is offered everywhere, and nothing else', async () => {
  const { scene, guest, sites } = await openPartial()
  await using _ = scene
  expect(await listOffersEverywhere(guest, 'site')).toBeNull()
  expect(await listOffersEverywhere(await scene.team.join('viewer'), 'site')).toEqual([])
  expect(await listOffersEverywhere(await scene.team.join('viewer'), 'server')).toEqual([{ operations: ['servers.summary'], ids: null }])
  const operator = await scene.team.join('operator')
  const operations = ['sites.configure', 'sites.delete', 'apps.install', 'backups.create', 'copies.make', 'copies.prove']
  expect(await listBatchOffers(operator, 'site')).toEqual([{ operations, ids: null }])
  const mayAt = mayAtOf(await listBatchOffers(operator, 'site'))
  expect(sites.every(({ id }) => mayAt('sites.delete', id))).toBe(true)
})

test('security 3: a page that sends more than the member may do starts nothing; the refusal names what they see, and nothing out of sight', async () => {
  const { scene, guest, shop, blog, otter } = await openPartial()
  await using _ = scene
  const more = await start(guest, 'backups.create', [shop, blog, otter])
  expect(more).toMatchObject({
    ok: false,
    problem: {
      code: 'forbidden',
      sentence: 'Your access does not include this for blog.heron.example. Nothing was started. Reload the page.',
    },
  })
  const hidden = await start(guest, 'servers.summary', [scene.idOf('heron-1'), scene.idOf('otter-1')])
  expect(hidden).toMatchObject({ ok: false, problem: { code: 'not_found' } })
  expect(JSON.stringify(hidden)).not.toContain('otter')
  expect(await start(guest, 'servers.summary', [scene.idOf('heron-1'), 'x'.repeat(22)])).toEqual(hidden)
  expect(await db().batch.count()).toBe(0)
})

test('the stored list has the allowed ones alone, and each is decided again when it begins', async () => {
  const { scene, guest, grantId, shop, otter } = await openPartial()
  await using _ = scene
  scene.upstream.model.siteLines = { steps: ['archive', 'check'], msPerLine: 500 }
  const started = await start(guest, 'backups.create', [shop, otter])
  const id = started.ok ? started.data.batchId : ''
  expect((await db().batchTarget.findMany({ where: { batchId: id } })).map(({ siteId }) => siteId)).toEqual([shop, otter])
  await db().grant.delete({ where: { id: grantId } })
  await runBatch(id)
  expect(await statesOf(id)).toEqual(['done', 'failed'])
  expect(await db().batchTarget.findFirst({ where: { batchId: id, seq: 1 } })).toMatchObject({ problemCode: 'not_found' })
})

test('what may not be done is not repeated, and counted apart from what is gone', async () => {
  const { scene, guest, shop, blog } = await openPartial()
  await using _ = scene
  for (const id of ['71', '72']) scene.upstream.set('success-false', { path: `/sites/${id}/backup/creates` })
  const started = await start(scene.owner, 'backups.create', [shop, blog])
  const id = started.ok ? started.data.batchId : ''
  await runBatch(id)
  expect(await statesOf(id)).toEqual(['failed', 'failed'])
  expect(await findBatch(guest, id)).toMatchObject({ repeatable: 1, gone: 0, denied: 1 })
  expect(await findBatch(scene.owner, id)).toMatchObject({ repeatable: 2, gone: 0, denied: 0 })
})

test('through a lent connection an action is offered as far as it is lent', async () => {
  await using scene = await openLending()
  const operator = await scene.team.join('operator')
  await lend(scene, {
    to: { userId: operator.user.id },
    scope: { kind: 'site', id: scene.idOf('shop.heron.example') },
    effects: ['read', 'change'],
  })
  const mayAt = mayAtOf(await listBatchOffers(operator, 'site'))
  expect(mayAt('backups.create', scene.idOf('shop.heron.example'))).toBe(true)
  expect(mayAt('backups.create', scene.idOf('shop.otter.example'))).toBe(false)
  expect(mayAt('sites.delete', scene.idOf('shop.heron.example'))).toBe(false)
})
