/** Switching SSL is a job that the list of sites follows, and that another job undoes. */
import { expect, test } from 'vitest'
import { ssl } from '@/lib/contract/operations/ssl'
import { db } from '@/lib/portal/base/db'
import { createOpaqueId } from '@/lib/portal/base/opaque-id'
import { startSiteChange } from '@/lib/portal/entry/undoable'
import type { Person } from '@/lib/portal/identity/actor'
import { startJob } from '@/lib/portal/jobs/start'
import { findJob, findNewestJob } from '@/lib/portal/jobs/view'
import { listServers } from '@/lib/portal/subjects/servers/list'
import { listSites } from '@/lib/portal/subjects/sites/list'
import { keptSslSwitch } from '@/lib/portal/subjects/ssl/undo-set'
import { undoChange } from '@/lib/portal/subjects/undo/undo'
import { inputOf } from '@/tests/support/own-input'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { createTeam } from '@/tests/support/portal-team'
import { startUpstream } from '@/tests/support/upstream/upstream'

const patience = { timeout: 20_000 }

async function openScene() {
  const database = await openPortalDatabase()
  const upstream = await startUpstream({ extensions: true })
  upstream.addServer({ name: 'web-01' })
  const upstreamId = upstream.addSite({ domain: 'first.example', aliases: [] })
  const team = await createTeam()
  const actor = await team.join('operator')
  await team.connect(upstream)
  await listServers(actor)
  const siteId = (await listSites(actor)).sites[0]?.id ?? ''
  const toggle = (status: string, who: Person = actor) =>
    startSiteChange({ operation: ssl.set, field: 'status', inverseOf: keptSslSwitch }, inputOf(who, { siteId, status }))
  const undo = (id: string, who: Person = actor) => undoChange(who, id, createOpaqueId(), startJob)
  const endOf = async (started: Awaited<ReturnType<typeof toggle>> | Awaited<ReturnType<typeof undo>>) => {
    const jobId = started.ok ? (started.data.jobId ?? '') : ''
    await expect.poll(async () => (await findJob(actor, jobId))?.endedAt ?? null, patience).not.toBeNull()
    return findJob(actor, jobId)
  }
  return {
    upstream,
    team,
    actor,
    siteId,
    toggle,
    undo,
    endOf,
    site: upstream.model.sites.get(upstreamId),
    path: `/sites/${upstreamId}/setssl`,
    async [Symbol.asyncDispose]() {
      await upstream[Symbol.asyncDispose]()
      await database[Symbol.asyncDispose]()
    },
  }
}

const undoIdOf = (started: { ok: boolean; data?: { undo: string | null } }): string => started.data?.undo ?? ''

test('SSL is switched on by a job, the list shows it at once, and it is undone once', async () => {
  await using scene = await openScene()
  const { actor, siteId, site, toggle, undo, endOf } = scene
  const started = await toggle('1')
  expect(await endOf(started)).toMatchObject({ state: 'done', title: 'Change SSL of first.example', siteId })
  const row = () => db().site.findUniqueOrThrow({ where: { id: siteId }, select: { ssl: true, expires: true } })
  await expect.poll(row, patience).toEqual({ ssl: 'on', expires: site?.certificate?.expires })
  expect(await findNewestJob(actor, { siteId }, ssl.set)).toMatchObject({ operation: 'ssl.set', state: 'done' })

  const undone = await undo(undoIdOf(started))
  expect(undone).toMatchObject({ ok: true, data: { message: 'SSL is off again.' } })
  expect(await endOf(undone)).toMatchObject({ state: 'done' })
  expect(site?.ssl).toBe(false)
  const settled = () => db().undo.findUnique({ where: { id: undoIdOf(started) }, select: { usedById: true } })
  await expect.poll(settled, patience).toEqual({ usedById: actor.user.id })
  expect(await undo(undoIdOf(started))).toMatchObject({
    ok: false,
    problem: { sentence: expect.stringMatching(/^This was already undone/) },
  })
})

test('an undo does nothing if SSL is as it was, and a refused switch leaves nothing to undo', async () => {
  await using scene = await openScene()
  const { site, toggle, undo, endOf } = scene
  if (!site) throw new Error('The site is gone.')
  const started = await toggle('1')
  await endOf(started)
  site.ssl = false
  expect(await undo(undoIdOf(started))).toMatchObject({
    ok: false,
    problem: { sentence: 'SSL is off again, so there is nothing to undo.' },
  })
  site.blocked = { 'first.example': 'first.example has no address in DNS.' }
  const refused = await toggle('1')
  const problem = { code: 'unsuitable', sentence: 'first.example has no address in DNS.' }
  expect(await endOf(refused)).toMatchObject({ state: 'failed', problem })
  await expect.poll(() => db().undo.findUnique({ where: { id: undoIdOf(refused) } }), patience).toBeNull()
})

test('the steps of a service that streams are lines of the job', async () => {
  await using scene = await openScene()
  const { upstream, toggle, endOf } = scene
  upstream.model.siteLines = { steps: ['check-names', 'certificate', 'web-server'], msPerLine: 5 }
  expect(await endOf(await toggle('1'))).toMatchObject({ state: 'done', eventCount: 4, progress: 100 })
})

test('a viewer neither switches SSL nor undoes it', async () => {
  await using scene = await openScene()
  const { team, site, upstream, path, toggle, undo, endOf } = scene
  const viewer = await team.join('viewer')
  expect(await toggle('1', viewer)).toMatchObject({ ok: false, problem: { code: 'forbidden' } })
  const started = await toggle('1')
  await endOf(started)
  expect(await undo(undoIdOf(started), viewer)).toMatchObject({ ok: false, problem: { code: 'forbidden' } })
  expect([site?.ssl, upstream.callsTo('POST', path).length]).toEqual([true, 1])
})
