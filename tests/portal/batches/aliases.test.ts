/** Pasted aliases: each is added by the portal with an outcome of its own, and all of them are one order of a certificate. */
import { expect, test } from 'vitest'
import { createOpaqueId } from '@/lib/portal/base/opaque-id'
import { findBatch } from '@/lib/portal/batches/view'
import { startJob } from '@/lib/portal/jobs/start'
import { waitForJob } from '@/lib/portal/jobs/wait'
import { undoChange } from '@/lib/portal/subjects/undo/undo'
import { openScene, statesOf } from './scene'

async function openSite() {
  const scene = await openScene({ sites: 1 })
  const upstreamId = scene.upstreamIds[0] ?? ''
  const site = () => scene.upstream.model.sites.get(upstreamId)
  const add = (...aliases: string[]) =>
    scene.run({ operation: 'aliases.save', targets: aliases.map((alias) => ({ id: scene.siteIds[0] ?? '', fields: { alias } })) })
  const sent = () => scene.upstream.callsTo('POST', `/sites/${upstreamId}/savealias`).map(({ fields }) => [fields.alias, fields.more])
  const orders = () => scene.upstream.calls.filter(({ path }) => path === `/sites/${upstreamId}/setssl`).length
  return { ...scene, upstreamId, site, add, sent, orders }
}

test('six aliases are added in order, and only the last is sent as the last', async () => {
  await using scene = await openSite()
  const names = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `${name}.example`)
  const id = await scene.add(...names)
  expect(await statesOf(id)).toEqual(names.map(() => 'done'))
  expect(scene.sent()).toEqual(names.map((name, index) => [name, index < 5 ? '1' : '0']))
  const view = await findBatch(scene.actor, id)
  expect([view?.title, view?.targets.map(({ name }) => name)]).toEqual(['Add 6 aliases to site-0.example', names])
})

test('one that is refused has its own reason, and the others are added', async () => {
  await using scene = await openSite()
  const id = await scene.add('a.example', 'site-0.example', 'c.example')
  expect(await statesOf(id)).toEqual(['done', 'failed', 'done'])
  expect((await findBatch(scene.actor, id))?.targets[1]?.problem?.sentence).toContain('site-0.example is already a name of a site.')
  expect(scene.site()?.aliases).toEqual(expect.arrayContaining(['a.example', 'c.example']))
})

test('the last is refused while SSL is on: the certificate is ordered all the same, once', async () => {
  await using scene = await openSite()
  const site = scene.site()
  if (!site) throw new Error('The service has no site.')
  Object.assign(site, { ssl: true, certificate: { covered: [site.domain], issued: '', expires: '' } })
  const id = await scene.add('a.example', 'site-0.example')
  expect(await statesOf(id)).toEqual(['done', 'failed'])
  expect([scene.orders(), site.certificate?.covered]).toEqual([1, expect.arrayContaining(['a.example'])])
  expect((await findBatch(scene.actor, id))?.problem).toBeNull()
})

test('a certificate that cannot be ordered then is named on the batch', async () => {
  await using scene = await openSite()
  const site = scene.site()
  if (!site) throw new Error('The service has no site.')
  Object.assign(site, { ssl: true, certificate: { covered: [site.domain], issued: '', expires: '' } })
  scene.upstream.set('success-false', { path: `/sites/${scene.upstreamId}/setssl` })
  const id = await scene.add('a.example', 'site-0.example')
  expect((await findBatch(scene.actor, id))?.problem?.sentence).toMatch(
    /^The certificate does not cover all of the new names: .*The server is locked\./,
  )
})

test('several are deleted in order, each can be undone on its own, and one that failed leaves nothing to undo', async () => {
  await using scene = await openSite()
  const { actor, upstream, upstreamId } = scene
  await scene.add('a.example', 'b.example', 'c.example')
  const targets = ['a', 'b', 'c'].map((name) => ({ id: scene.siteIds[0] ?? '', fields: { alias: `${name}.example` } }))
  upstream.set('success-false', { path: `/sites/${upstreamId}/deletealias`, times: 1 })
  const id = await scene.run({ operation: 'aliases.delete', targets })
  expect(await statesOf(id)).toEqual(['failed', 'done', 'done'])
  expect(scene.site()?.aliases.filter((alias) => /^[abc]\.example$/.test(alias))).toEqual(['a.example'])
  const view = await findBatch(actor, id)
  expect([view?.title, view?.targets.map(({ name }) => name)]).toEqual([
    'Delete 3 aliases of site-0.example',
    ['a.example', 'b.example', 'c.example'],
  ])
  const [failed = '', second = ''] = view?.targets.map(({ job }) => job?.id ?? '') ?? []
  expect(await undoChange(actor, failed, createOpaqueId(), startJob)).toMatchObject({ problem: { code: 'not_found' } })
  const undone = await undoChange(actor, second, createOpaqueId(), startJob)
  if (!undone.ok) throw new Error(undone.problem.sentence)
  await waitForJob(undone.data.jobId ?? '')
  expect(scene.site()?.aliases).toContain('b.example')
  expect(scene.site()?.aliases).not.toContain('c.example')
})

test('only the fields of the operation may come with a target', async () => {
  await using scene = await openSite()
  const [id = ''] = scene.siteIds
  expect(await scene.start({ operation: 'aliases.save', targets: [{ id, fields: { more: '1' } }] })).toMatchObject({
    problem: { code: 'invalid' },
  })
})
