/** Jobs of apps and staging: what they return, who sees it, and what is left of it. */
import { expect, test } from 'vitest'
import { contract } from '@/lib/contract'
import { problem } from '@/lib/contract/problem'
import { db } from '@/lib/portal/base/db'
import { createOpaqueId } from '@/lib/portal/base/opaque-id'
import { refuseNoParts } from '@/lib/portal/entry/copied-parts'
import { installApp } from '@/lib/portal/entry/install-app'
import type { Person } from '@/lib/portal/identity/actor'
import { dropJobCredentials, showJobCredentials } from '@/lib/portal/jobs/credentials'
import { readBack } from '@/lib/portal/jobs/relay/read-back'
import { startJob } from '@/lib/portal/jobs/start'
import { findJob } from '@/lib/portal/jobs/view'
import { listServers } from '@/lib/portal/subjects/servers/list'
import { listSites } from '@/lib/portal/subjects/sites/list'
import { shownChanges } from '@/lib/portal/subjects/sites/shown-changes'
import { inputOf } from '@/tests/support/own-input'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { createTeam } from '@/tests/support/portal-team'
import { forgetProcess } from '@/tests/support/reset-process'
import type { UpstreamSite } from '@/tests/support/upstream/model'
import { appPassword, stagingPassword } from '@/tests/support/upstream/site-operations'
import { startUpstream, type UpstreamOptions } from '@/tests/support/upstream/upstream'

const patience = { timeout: 20_000 }

const table = (name: string) => ({ name, bytes: 1024, rows: 10, pulled: false, changed: false, partners: [], private: '' })

const staging = () => ({
  domain: 'staging.first.example',
  exists: false,
  user: 'staging',
  pulled: '',
  files_bytes: 4096,
  mixed: false,
  tables: [table('wp_posts')],
})

async function openScene(given: Partial<UpstreamSite> = {}, options: UpstreamOptions = { extensions: true }) {
  const database = await openPortalDatabase()
  const upstream = await startUpstream(options)
  upstream.addServer({ name: 'web-01' })
  const id = upstream.addSite({ domain: 'first.example', aliases: [], ...given })
  const team = await createTeam()
  const actor = await team.join('operator')
  await team.connect(upstream)
  await listServers(actor)
  const siteId = (await listSites(actor)).sites[0]?.id ?? ''
  const endOf = async (started: Awaited<ReturnType<typeof startJob>>) => {
    if (!started.ok) throw new Error(started.problem.sentence)
    const { jobId } = started.data
    await expect.poll(async () => (await findJob(actor, jobId))?.endedAt ?? null, patience).not.toBeNull()
    return findJob(actor, jobId)
  }
  return {
    upstream,
    team,
    actor,
    siteId,
    endOf,
    path: `/sites/${id}`,
    install: (app: string, who: Person = actor) => installApp(inputOf(who, { siteId, app })),
    pull: (fields: Record<string, unknown>) => startJob(actor, contract.apps.pull, { siteId }, fields),
    async [Symbol.asyncDispose]() {
      await upstream[Symbol.asyncDispose]()
      await database[Symbol.asyncDispose]()
    },
  }
}

const noApp = { app: { name: '', version: '' } }

/** Everything that the portal stores of jobs and actions. */
const stored = async () =>
  JSON.stringify([
    await db().job.findMany(),
    await db().jobEvent.findMany(),
    await db().auditRow.findMany(),
    await db().notification.findMany(),
  ])

test.each([true, false])(
  'the credentials of an app are shown to whoever installed it, and stored nowhere else (streamed: %s)',
  async (streamed) => {
    await using scene = await openScene(noApp)
    const { actor, team, upstream, install, endOf } = scene
    if (streamed) upstream.model.siteLines = { steps: ['download', 'database', 'app'], msPerLine: 0 }
    const job = await endOf(await install(' wordpress '))
    expect(job).toMatchObject({ state: 'done', title: 'Install an app on first.example', credentialsFor: actor.user.id })
    expect(upstream.callsTo('GET', `${scene.path}/install/wordpress`)).toHaveLength(1)
    const id = job?.id ?? ''

    const colleague = await team.join('owner')
    const stranger = await (await createTeam('Another')).join('owner')
    expect(await showJobCredentials(colleague, id, createOpaqueId())).toMatchObject({ ok: false, problem: { code: 'forbidden' } })
    expect(await dropJobCredentials(colleague, id)).toMatchObject({ ok: false, problem: { code: 'forbidden' } })
    expect(await showJobCredentials(stranger, id, createOpaqueId())).toMatchObject({ ok: false, problem: { code: 'not_found' } })
    expect(await showJobCredentials({ ...actor, role: 'viewer' }, id, createOpaqueId())).toMatchObject({ ok: false })

    const credentials = { url: 'http://first.example/admin', user: 'admin', password: appPassword }
    for (const _ of ['first', 'after a lost answer'])
      expect(await showJobCredentials(actor, id, createOpaqueId())).toEqual({ ok: true, data: { credentials } })
    expect(await stored()).not.toContain(appPassword)
    expect(await dropJobCredentials(actor, id)).toMatchObject({ ok: true })
    expect(await findJob(actor, id)).toMatchObject({ credentialsFor: null })
    expect(await showJobCredentials(actor, id, createOpaqueId())).toMatchObject({
      ok: false,
      problem: { sentence: expect.stringContaining('can no longer be shown') },
    })
    const seen = await db().auditRow.findMany({ where: { action: 'jobs.showCredentials', outcome: 'done' } })
    expect(seen.map(({ actorId }) => actorId)).toEqual([actor.user.id, actor.user.id])
  },
)

test('a restarted portal still has them', async () => {
  await using scene = await openScene(noApp)
  const { actor, install, endOf } = scene
  const job = await endOf(await install('dokuwiki'))
  expect(job?.credentialsFor).toBe(actor.user.id)
  forgetProcess()
  expect((await findJob(actor, job?.id ?? ''))?.credentialsFor).toBe(actor.user.id)
  const shown = await showJobCredentials(actor, job?.id ?? '', createOpaqueId())
  expect(shown).toMatchObject({ ok: true, data: { credentials: { password: appPassword } } })
})

test('an app that was refused, and a service that returns none, leave no credentials; the name is checked before anything is sent', async () => {
  await using scene = await openScene()
  const { install, endOf, upstream } = scene
  const refused = await endOf(await install('wordpress'))
  expect(refused).toMatchObject({ state: 'failed', problem: { sentence: 'The site already has files.' }, credentialsFor: null })
  for (const name of ['', '../x', '.hidden', 'a/b', 'a b', 'a\nb', 'é', 'x'.repeat(65)])
    expect([name, await install(name)]).toEqual([name, { ok: false, problem: expect.objectContaining({ code: 'invalid' }) }])
  expect(upstream.callsTo('GET', `${scene.path}/install/wordpress`)).toHaveLength(1)

  await using foreign = await openScene(noApp, {})
  expect(await foreign.endOf(await foreign.install('ghost'))).toMatchObject({ state: 'done', credentialsFor: null })
})

test('the first pull, and a new password, return those of the staging copy; another pull does not', async () => {
  await using scene = await openScene({ staging: staging() })
  const { actor, pull, endOf, upstream, path } = scene
  const first = await endOf(await pull({ files: true, database: true, tables: ['wp_posts'] }))
  expect(first).toMatchObject({ title: 'Pull to the staging copy of first.example', credentialsFor: actor.user.id })
  // A later pull does not hide them.
  const second = await endOf(await pull({ files: true, database: false }))
  expect(second).toMatchObject({ state: 'done', credentialsFor: actor.user.id })
  expect(await dropJobCredentials(actor, second?.id ?? '')).toMatchObject({ ok: true })
  expect(await endOf(await pull({ files: true, database: false }))).toMatchObject({ state: 'done', credentialsFor: null })
  const renewed = await endOf(await pull({ files: false, database: false, new_password: '1' }))
  expect(await showJobCredentials(actor, renewed?.id ?? '', createOpaqueId())).toMatchObject({
    data: { credentials: { user: 'staging', password: stagingPassword } },
  })
  expect(upstream.callsTo('POST', `${path}/apps/pull`).map(({ fields }) => fields)).toEqual([
    { files: '1', database: '1', tables: ['wp_posts'], new_password: '0' },
    { files: '1', database: '0', tables: [''], new_password: '0' },
    { files: '1', database: '0', tables: [''], new_password: '0' },
    { files: '0', database: '0', tables: [''], new_password: '1' },
  ])
  expect(await stored()).not.toContain(stagingPassword)
})

test('a push names the backup that was made first, and needs the typed domain', async () => {
  await using scene = await openScene({ staging: { ...staging(), exists: true } })
  const { actor, siteId, endOf, upstream, path } = scene
  const push = (confirmName: string) => startJob(actor, contract.apps.push, { siteId }, { files: true, database: false }, { confirmName })
  expect(await push('')).toMatchObject({ ok: false })
  expect(await push('other.example')).toMatchObject({ ok: false })
  expect(upstream.callsTo('POST', `${path}/apps/push`)).toHaveLength(0)
  expect(await endOf(await push('first.example'))).toMatchObject({
    state: 'done',
    title: 'Push staging to first.example',
    note: 'first.example-before-push.tar.zst',
  })
})

test('an install whose answer was lost is settled by a read, and sent once', async () => {
  await using scene = await openScene(noApp, {})
  const { install, endOf, upstream, path } = scene
  upstream.set('reset-after', { path: `${path}/install/wordpress` })
  expect(await endOf(await install('wordpress'))).toMatchObject({ state: 'done', credentialsFor: null })
  expect(upstream.callsTo('GET', `${path}/install/wordpress`)).toHaveLength(1)
})

test('a push whose answer was lost was sent once, and nothing that could be read shows whether it was made: its outcome is unknown', async () => {
  await using scene = await openScene({ staging: { ...staging(), exists: true } }, {})
  const { actor, siteId, endOf, upstream, path } = scene
  upstream.set('reset-after', { path: `${path}/apps/push` })
  const parts = { files: true, database: true, tables: ['wp_posts'] }
  const job = await endOf(await startJob(actor, contract.apps.push, { siteId }, parts, { confirmName: 'first.example' }))
  expect(job).toMatchObject({ state: 'unknown', problem: { code: 'outcome_unknown' }, note: '' })
  expect(upstream.callsTo('POST', `${path}/apps/push`)).toHaveLength(1)
  const outcomes = async () => (await db().auditRow.findMany({ where: { requestId: job?.id ?? '' } })).map(({ outcome }) => outcome)
  await expect.poll(outcomes, patience).toEqual(['asked', 'unknown'])
})

test('a pull whose outcome is unknown is done if the staging copy is newer', async () => {
  const copy = staging()
  await using scene = await openScene({ staging: copy })
  const job = await scene.endOf(await scene.pull({ files: true, database: false }))
  const row = await db().job.findUniqueOrThrow({ where: { id: job?.id ?? '' } })
  const connection = await db().connection.findFirst()
  const unknown = { state: 'unknown', problem: problem('outcome_unknown') } as const
  const readOnce = async () => (await readBack({ row, connection }, shownChanges.pulled, unknown, 0)).state
  expect(await readOnce()).toBe('done')
  for (const pulled of ['2020-01-01T00:00:00Z', '']) {
    copy.pulled = pulled
    expect(await readOnce()).toBe('unknown')
  }
})

test('a copy of nothing, or of a database without tables, is refused; a new password alone is not', async () => {
  await using scene = await openScene()
  const refusal = async (fields: Record<string, string>) => (await refuseNoParts(scene.actor, {}, (name) => fields[name]))?.sentence ?? null
  expect(await refusal({})).toBe('Choose the files, tables or both.')
  expect(await refusal({ files: '1', database: '1' })).toBe('Choose at least one table.')
  expect(await refusal({ files: '1' })).toBeNull()
  expect(await refusal({ database: '1', tables: 'wp_posts' })).toBeNull()
  expect(await refusal({ files: '0', database: '0', new_password: '1' })).toBeNull()
})
