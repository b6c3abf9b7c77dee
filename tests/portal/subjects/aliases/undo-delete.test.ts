/** Deleting an alias is a job that can be undone by another job. */
import { expect, test } from 'vitest'
import { aliases } from '@/lib/contract/operations/aliases'
import { db } from '@/lib/portal/base/db'
import { createOpaqueId } from '@/lib/portal/base/opaque-id'
import { startSiteChange } from '@/lib/portal/entry/undoable'
import type { Person } from '@/lib/portal/identity/actor'
import { startJob } from '@/lib/portal/jobs/start'
import { findJob } from '@/lib/portal/jobs/view'
import { keptAlias } from '@/lib/portal/subjects/aliases/undo-delete'
import { listServers } from '@/lib/portal/subjects/servers/list'
import { listSites } from '@/lib/portal/subjects/sites/list'
import { undoChange } from '@/lib/portal/subjects/undo/undo'
import { inputOf } from '@/tests/support/own-input'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { createTeam } from '@/tests/support/portal-team'
import { startUpstream, type UpstreamOptions } from '@/tests/support/upstream/upstream'

const patience = { timeout: 20_000 }
const alias = 'www.first.example'

async function openScene(options: UpstreamOptions = {}) {
  const database = await openPortalDatabase()
  const upstream = await startUpstream(options)
  upstream.addServer({ name: 'web-01' })
  const upstreamId = upstream.addSite({ domain: 'first.example', aliases: [alias, 'shop.first.example'] })
  const team = await createTeam()
  const actor = await team.join('operator')
  await team.connect(upstream)
  await listServers(actor)
  const siteId = (await listSites(actor)).sites[0]?.id ?? ''
  const remove = (who: Person = actor) =>
    startSiteChange({ operation: aliases.delete, field: 'alias', inverseOf: keptAlias }, inputOf(who, { siteId, alias }))
  const undo = (id: string, who: Person = actor) => undoChange(who, id, createOpaqueId(), startJob)
  return {
    upstream,
    team,
    actor,
    siteId,
    remove,
    undo,
    path: `/sites/${upstreamId}`,
    names: () => upstream.model.sites.get(upstreamId)?.aliases,
    async [Symbol.asyncDispose]() {
      await upstream[Symbol.asyncDispose]()
      await database[Symbol.asyncDispose]()
    },
  }
}

async function endOf(actor: Person, jobId: string | undefined) {
  await expect.poll(async () => (await findJob(actor, jobId ?? ''))?.endedAt ?? null, patience).not.toBeNull()
  return findJob(actor, jobId ?? '')
}

const stored = (id: string) => db().undo.findUnique({ where: { id } })

async function removed({ actor, remove }: Awaited<ReturnType<typeof openScene>>): Promise<string> {
  const started = await remove()
  if (!started.ok) throw new Error(started.problem.sentence)
  expect(started.data.undo).toBe(started.data.jobId)
  expect(await endOf(actor, started.data.jobId)).toMatchObject({ state: 'done', title: 'Delete an alias of first.example' })
  return started.data.jobId
}

test('a deleted alias is added again once; the undo is used up when its job is done', async () => {
  await using scene = await openScene()
  const { actor, undo, names } = scene
  const id = await removed(scene)
  expect(names()).toEqual(['shop.first.example'])
  const undone = await undo(id)
  expect(undone).toMatchObject({ ok: true, data: { message: `${alias} was added again.` } })
  expect(await endOf(actor, undone.ok ? undone.data.jobId : '')).toMatchObject({ state: 'done' })
  expect(names()).toEqual(['shop.first.example', alias])
  await expect.poll(() => stored(id), patience).toMatchObject({ usedById: actor.user.id, sealed: null, claimedAt: null })
  expect(await undo(id)).toMatchObject({ ok: false, problem: { sentence: expect.stringMatching(/^This was already undone by/) } })
})

test('an undo whose job fails can be tried again, and one whose job runs is not started twice', async () => {
  await using scene = await openScene()
  const { actor, undo, upstream, path } = scene
  const id = await removed(scene)
  upstream.set('500-json', { path: `${path}/savealias` })
  const failed = await undo(id)
  expect(await endOf(actor, failed.ok ? failed.data.jobId : '')).toMatchObject({ state: 'failed' })
  await expect.poll(() => stored(id), patience).toMatchObject({ usedAt: null, claimedAt: null })
  upstream.clear()
  upstream.set('slow-head', { path: `${path}/savealias`, times: 1 })
  expect(await undo(id)).toMatchObject({ ok: true })
  expect(await undo(id)).toMatchObject({ ok: false, problem: { code: 'busy' } })
})

test('a deletion that failed leaves nothing to undo; one with an unknown outcome is undone only if the alias is gone', {
  timeout: 90_000,
}, async () => {
  await using scene = await openScene()
  const { actor, remove, undo, upstream, path } = scene
  upstream.set('500-json', { path: `${path}/deletealias` })
  const refused = await remove()
  const jobId = refused.ok ? refused.data.jobId : ''
  expect(await endOf(actor, jobId)).toMatchObject({ state: 'failed' })
  await expect.poll(() => stored(jobId), patience).toBeNull()
  upstream.clear()
  upstream.set('reset-before', { path: `${path}/deletealias` })
  const open = await remove()
  const openId = open.ok ? open.data.jobId : ''
  // Reads may show for half a minute that it was deleted after all.
  await expect.poll(async () => (await findJob(actor, openId))?.state, { timeout: 60_000 }).toBe('unknown')
  upstream.clear()
  if ((await stored(openId)) !== null) expect(await undo(openId)).toMatchObject({ ok: false, problem: { code: 'changed_meanwhile' } })
})

test('a viewer neither deletes an alias nor undoes its deletion', async () => {
  await using scene = await openScene()
  const { team, remove, undo, names } = scene
  const viewer = await team.join('viewer')
  expect(await remove(viewer)).toMatchObject({ ok: false, problem: { code: 'forbidden' } })
  expect(names()).toHaveLength(2)
  const id = await removed(scene)
  expect(await undo(id, viewer)).toMatchObject({ ok: false, problem: { code: 'forbidden' } })
  expect(names()).toHaveLength(1)
})
