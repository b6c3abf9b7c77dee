/** The settings of a site are changed by a job, which another job undoes as long as nobody changed them since. */
import { expect, test } from 'vitest'
import { db } from '@/lib/portal/base/db'
import { createOpaqueId } from '@/lib/portal/base/opaque-id'
import { configureSite } from '@/lib/portal/entry/configure-site'
import type { Person } from '@/lib/portal/identity/actor'
import { startJob } from '@/lib/portal/jobs/start'
import { findJob } from '@/lib/portal/jobs/view'
import { listServers } from '@/lib/portal/subjects/servers/list'
import { listSites } from '@/lib/portal/subjects/sites/list'
import { undoChange } from '@/lib/portal/subjects/undo/undo'
import { describeAction } from '@/lib/portal/views/activity/sentences'
import { inputOf } from '@/tests/support/own-input'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { createTeam } from '@/tests/support/portal-team'
import { startUpstream } from '@/tests/support/upstream/upstream'

const patience = { timeout: 20_000 }
const wanted = { php: '8.4', upload_limit: '100', memory_limit: '512', folder: '/web/' }
const numbers = { workers: '10', waiting: '30', hsts: '0', mail_per_hour: '200' }
const former = { php: '8.2', upload_limit: '64', memory_limit: '256', folder: '', ...numbers, www_redirect: '0' }

async function openScene({ extensions = true, settings = {} }: { extensions?: boolean; settings?: Record<string, unknown> } = {}) {
  const database = await openPortalDatabase()
  const upstream = await startUpstream({ extensions })
  upstream.addServer({ name: 'web-01' })
  const upstreamId = upstream.addSite({ domain: 'first.example', settings })
  const team = await createTeam()
  const actor = await team.join('operator')
  await team.connect(upstream)
  await listServers(actor)
  const siteId = (await listSites(actor)).sites[0]?.id ?? ''
  const configure = (fields: Record<string, string> = wanted, who: Person = actor) => configureSite(inputOf(who, { siteId, ...fields }))
  type Started = { ok: boolean; data?: { jobId?: string; undo?: string | null } }
  return {
    upstream,
    team,
    actor,
    configure,
    site: upstream.model.sites.get(upstreamId),
    undo: (started: Started) => undoChange(actor, started.data?.undo ?? '', createOpaqueId(), startJob),
    async endOf(started: Started) {
      const jobId = started.data?.jobId ?? ''
      await expect.poll(async () => (await findJob(actor, jobId))?.endedAt ?? null, patience).not.toBeNull()
      return findJob(actor, jobId)
    },
    sent: () => upstream.callsTo('POST', `/sites/${upstreamId}/configure`).map(({ fields }) => fields),
    async [Symbol.asyncDispose]() {
      await upstream[Symbol.asyncDispose]()
      await database[Symbol.asyncDispose]()
    },
  }
}

test('settings are changed by a job, told in Activity, and undone once with all that they were', async () => {
  await using scene = await openScene()
  const { configure, undo, endOf, sent } = scene
  const started = await configure()
  expect(await endOf(started)).toMatchObject({ state: 'done', title: 'Change settings of first.example' })
  const row = await db().auditRow.findFirstOrThrow({ where: { action: 'sites.configure', stage: 'intent' } })
  expect(describeAction('sites.configure', JSON.parse(row.detail), 'done')).toBe(
    'Changed the settings to PHP 8.4, uploads of 100 MB, memory of 512 MB and the folder public/web',
  )
  const undone = await undo(started)
  expect(undone).toMatchObject({ ok: true, data: { message: 'The former settings were restored.' } })
  expect(await endOf(undone)).toMatchObject({ state: 'done' })
  expect(sent()).toEqual([{ ...wanted, folder: 'web' }, former])
  await expect.poll(async () => (await undo(started)).ok, patience).toBe(false)
  expect(sent()).toHaveLength(2)
})

test('an undo does nothing if somebody changed the settings since, or changed them back', async () => {
  await using scene = await openScene()
  const { site, configure, undo, endOf, sent } = scene
  const started = await configure()
  await endOf(started)
  for (const [settings, why] of [
    [{ ...former, memory_limit: '300' }, /changed again/],
    [{ ...former, workers: '11' }, /changed again/],
    [former, /former settings/],
  ] as const) {
    Object.assign(site?.settings ?? {}, settings)
    expect(await undo(started)).toMatchObject({ ok: false, problem: { sentence: expect.stringMatching(why) } })
  }
  expect(sent()).toHaveLength(1)
})

test('a change that its service lost sight of is settled by a read, and can be undone', async () => {
  await using scene = await openScene()
  const { upstream, configure, undo, endOf, sent } = scene
  upstream.model.siteLines = { steps: ['php'], msPerLine: 0, lost: true }
  const started = await configure()
  expect(await endOf(started)).toMatchObject({ state: 'done', problem: null })
  upstream.model.siteLines = { steps: ['php'], msPerLine: 0 }
  const undone = await undo(started)
  expect(undone).toMatchObject({ ok: true })
  expect(await endOf(undone)).toMatchObject({ state: 'done' })
  expect(sent()).toHaveLength(2)
})

test('settings that could not be restored leave nothing to undo: an admin wrote a limit in another unit', async () => {
  await using scene = await openScene({ settings: { memory_limit: '' } })
  const started = await scene.configure()
  expect(started).toMatchObject({ ok: true, data: { undo: null } })
  expect(await scene.endOf(started)).toMatchObject({ state: 'done' })
})

test('fields that break their limits are refused before anything is sent or stored', async () => {
  await using scene = await openScene()
  const fields = { php: 'php8', upload_limit: '0', memory_limit: '5000', folder: '../private' }
  const refused = await scene.configure(fields)
  expect(refused).toMatchObject({ ok: false, problem: { code: 'invalid' } })
  if (!refused.ok) expect(Object.keys(refused.problem.fields ?? {}).sort()).toEqual(Object.keys(fields).sort())
  expect(scene.sent()).toEqual([])
  expect(await db().undo.count()).toBe(0)
})

test('viewers are refused, and a service without extensions is sent nothing', async () => {
  await using scene = await openScene()
  expect(await scene.configure(wanted, await scene.team.join('viewer'))).toMatchObject({ ok: false, problem: { code: 'forbidden' } })
  expect(scene.sent()).toEqual([])
  await scene[Symbol.asyncDispose]()
  await using foreign = await openScene({ extensions: false })
  expect(await foreign.configure()).toMatchObject({ ok: false, problem: { code: 'not_built' } })
  expect(foreign.sent()).toEqual([])
})
