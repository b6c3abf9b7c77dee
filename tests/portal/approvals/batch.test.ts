/** A batch that needs a second person: held and approved as a whole, with its list. */
import { expect, test } from 'vitest'
import { findHeldView } from '@/lib/portal/approvals/view'
import { db } from '@/lib/portal/base/db'
import { runBatch } from '@/lib/portal/batches/runner'
import { openScene as openSites, statesOf } from '../batches/scene'
import { approve, heldIdOf, readHeld } from './scene'

async function openScene() {
  const scene = await openSites({ sites: 3, servers: 2 })
  const approver = await scene.team.join('admin')
  await db().team.updateMany({ data: { secondPersonFor: 'deleteSites' } })
  const askDeletion = async () => heldIdOf(await scene.start({ operation: 'sites.delete', confirmName: '3' }))
  return { ...scene, approver, askDeletion, left: () => scene.upstream.model.sites.size }
}

test('security 63: a batch is approved as a whole, with its list, and its targets then need nobody else', async () => {
  await using scene = await openScene()
  const { approver, actor, left } = scene
  const id = await scene.askDeletion()
  expect([left(), await db().batch.count()]).toEqual([3, 0])
  const view = await findHeldView(approver, id)
  expect(view).toMatchObject({ what: 'Delete 3 sites', mayDecide: true, approvers: 1 })
  expect(view?.sends).toContainEqual({ label: 'List (3)', value: 'site-0.example\nsite-1.example\nsite-2.example' })
  expect(await approve(approver, id)).toEqual({ ok: true, data: { page: `/jobs/batches/${id}` } })
  await runBatch(id)
  expect(await statesOf(id)).toEqual(['done', 'done', 'done'])
  expect(left()).toBe(0)
  expect(await db().batch.findUnique({ where: { id } })).toMatchObject({ startedById: actor.user.id })
  expect(await approve(approver, id)).toMatchObject({ problem: { code: 'changed_meanwhile' } })
  expect(await findHeldView(approver, id)).toMatchObject({ state: 'sent', page: `/jobs/batches/${id}` })
})

test('what the rule does not list starts at once', async () => {
  await using scene = await openScene()
  expect(await statesOf(await scene.run())).toEqual(['done', 'done', 'done'])
})

test('security 63: a batch of which a target was renamed, or is gone, or whose list was altered, is not started', async () => {
  await using scene = await openScene()
  const { approver, siteIds, left } = scene
  const site = { where: { id: siteIds[1] ?? '' } }
  const { domain, upstreamId } = await db().site.findUniqueOrThrow(site)
  const alterations = [
    () => db().site.update({ ...site, data: { domain: 'other.example' } }),
    () => db().site.update({ ...site, data: { upstreamId: '999' } }),
    () => db().site.update({ ...site, data: { goneAt: new Date() } }),
    async () => {
      const { id, sealed, kekId, digest } = await readHeld(await scene.askDeletion())
      await db().heldRequest.updateMany({ where: { state: 'waiting', NOT: { id } }, data: { sealed, kekId, digest } })
    },
  ]
  for (const alter of alterations) {
    const id = await scene.askDeletion()
    await alter()
    expect((await approve(approver, id)).ok).toBe(false)
    await db().site.update({ ...site, data: { domain, upstreamId, goneAt: null } })
  }
  expect([left(), await db().batch.count()]).toEqual([3, 0])
})

test('security 63: an approver needs the right to all of the list', async () => {
  await using scene = await openScene()
  const { approver, siteIds } = scene
  const id = await scene.askDeletion()
  await db().grantScope.deleteMany({ where: { grant: { userId: approver.user.id } } })
  const grant = await db().grant.findFirstOrThrow({ where: { userId: approver.user.id } })
  const scopeOf = (siteId: string) => ({ grantId: grant.id, kind: 'site' as const, about: siteId })
  await db().grantScope.createMany({ data: siteIds.slice(0, 2).map(scopeOf) })
  expect(await approve(approver, id)).toMatchObject({ problem: { code: 'not_found' } })
  await db().grantScope.create({ data: scopeOf(siteIds[2] ?? '') })
  expect((await approve(approver, id)).ok).toBe(true)
  await runBatch(id)
})
