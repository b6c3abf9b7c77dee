/** Several email addresses of a site are deleted by the portal, each as if it had been deleted alone. */
import { expect, test } from 'vitest'
import { createOpaqueId } from '@/lib/portal/base/opaque-id'
import { findBatch } from '@/lib/portal/batches/view'
import { startJob } from '@/lib/portal/jobs/start'
import { undoChange } from '@/lib/portal/subjects/undo/undo'
import { openScene, statesOf } from './scene'

const users = ['info', 'sales', 'office'] as const

async function openAddresses() {
  const scene = await openScene({ sites: 1 })
  const upstreamId = scene.upstreamIds[0] ?? ''
  const site = scene.upstream.model.sites.get(upstreamId)
  if (!site) throw new Error('The service has no site.')
  site.emails = users.map((user) => ({ user, destination: `${user}@example.com` }))
  const given = { operation: 'email.delete', targets: users.map((user) => ({ id: scene.siteIds[0] ?? '', fields: { user } })), atOnce: '1' }
  const present = () => site.emails.map(({ user }) => user)
  return { ...scene, site, path: `/sites/${upstreamId}/deleteemail`, given, present }
}

test('each can be undone on its own, one that failed leaves nothing to undo, and no line needs a job', async () => {
  await using scene = await openAddresses()
  const { actor, upstream, path, given, site } = scene
  upstream.set('success-false', { path, times: 1 })
  const id = await scene.run(given)
  expect(await statesOf(id)).toEqual(['failed', 'done', 'done'])
  expect(scene.present()).toEqual(['info'])
  const view = await findBatch(actor, id)
  expect([view?.title, view?.noun]).toEqual(['Delete 3 addresses of site-0.example', 'address'])
  expect(view?.targets.map(({ name, job, undo }) => [name, job, typeof undo])).toEqual([
    ['info@site-0.example', null, 'object'],
    ['sales@site-0.example', null, 'string'],
    ['office@site-0.example', null, 'string'],
  ])
  const undone = await undoChange(actor, view?.targets[1]?.undo ?? '', createOpaqueId(), startJob)
  expect(undone).toMatchObject({ ok: true })
  expect(site.emails).toContainEqual({ user: 'sales', destination: 'sales@example.com' })
  // It is used up.
  expect((await findBatch(actor, id))?.targets.map(({ undo }) => undo === null)).toEqual([true, true, false])
})

test('an address with several destinations is deleted, and offers no undo that would lose one of them', async () => {
  await using scene = await openAddresses()
  scene.site.emails.push({ user: 'info', destination: 'another@example.com' })
  const id = await scene.run(scene.given)
  expect(await statesOf(id)).toEqual(['done', 'done', 'done'])
  expect(scene.present()).toEqual([])
  expect((await findBatch(scene.actor, id))?.targets.map(({ undo }) => undo === null)).toEqual([true, false, false])
})

test('whoever may not change email starts none', async () => {
  await using scene = await openAddresses()
  for (const role of ['viewer', 'guest'] as const) {
    expect(await scene.start(scene.given, { by: await scene.team.join(role) })).toMatchObject({ ok: false })
  }
  expect(scene.upstream.callsTo('POST', scene.path)).toEqual([])
})
