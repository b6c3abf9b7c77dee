/** Switching email is a job that another job undoes, and that another mail server in DNS stops unless somebody accepted that. */
import { expect, test } from 'vitest'
import { db } from '@/lib/portal/base/db'
import { createOpaqueId } from '@/lib/portal/base/opaque-id'
import { switchEmail } from '@/lib/portal/entry/switch-email'
import type { Person } from '@/lib/portal/identity/actor'
import { startJob } from '@/lib/portal/jobs/start'
import { findJob } from '@/lib/portal/jobs/view'
import { listServers } from '@/lib/portal/subjects/servers/list'
import { listSites } from '@/lib/portal/subjects/sites/list'
import { undoChange } from '@/lib/portal/subjects/undo/undo'
import { inputOf } from '@/tests/support/own-input'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { createTeam } from '@/tests/support/portal-team'
import type { UpstreamSite } from '@/tests/support/upstream/model'
import { startUpstream } from '@/tests/support/upstream/upstream'

const patience = { timeout: 20_000 }
const elsewhere = 'mx.other.example'

async function openScene(given: Partial<UpstreamSite> = {}, extensions = true) {
  const database = await openPortalDatabase()
  const upstream = await startUpstream({ extensions })
  upstream.addServer({ name: 'web-01' })
  const upstreamId = upstream.addSite({ domain: 'first.example', ...given })
  const team = await createTeam()
  const actor = await team.join('operator')
  await team.connect(upstream)
  await listServers(actor)
  const siteId = (await listSites(actor)).sites[0]?.id ?? ''
  const site = upstream.model.sites.get(upstreamId)
  if (!site) throw new Error('The site is gone.')
  const toggle = (fields: Record<string, string>, who: Person = actor) => switchEmail(inputOf(who, { siteId, anyway: '0', ...fields }))
  const undo = (id: string, who: Person = actor) => undoChange(who, id, createOpaqueId(), startJob)
  const endOf = async (started: Awaited<ReturnType<typeof toggle>> | Awaited<ReturnType<typeof undo>>) => {
    const jobId = started.ok ? (started.data.jobId ?? '') : ''
    await expect.poll(async () => (await findJob(actor, jobId))?.endedAt ?? null, patience).not.toBeNull()
    return findJob(actor, jobId)
  }
  return {
    upstream,
    team,
    site,
    toggle,
    undo,
    endOf,
    sent: () => upstream.callsTo('POST', `/sites/${upstreamId}/setemail`).map(({ fields }) => fields),
    async [Symbol.asyncDispose]() {
      await upstream[Symbol.asyncDispose]()
      await database[Symbol.asyncDispose]()
    },
  }
}

const undoIdOf = (started: { ok: boolean; data?: { undo: string | null } }): string => started.data?.undo ?? ''

test('email is switched on by a job with its steps, and undone once', async () => {
  await using scene = await openScene()
  const { upstream, site, toggle, undo, endOf, sent } = scene
  upstream.model.siteLines = { steps: ['mail-server', 'firewall'], msPerLine: 5 }
  const started = await toggle({ status: '1' })
  expect(await endOf(started)).toMatchObject({ state: 'done', title: 'Change email of first.example', eventCount: 3 })
  expect(site.email).toBe(true)
  const undone = await undo(undoIdOf(started))
  expect(undone).toMatchObject({ ok: true, data: { message: 'Email is off again.' } })
  expect(await endOf(undone)).toMatchObject({ state: 'done' })
  expect([site.email, sent()]).toEqual([
    false,
    [
      { status: '1', anyway: '0' },
      { status: '0', anyway: '0' },
    ],
  ])
  const used = async () => (await db().undo.findUnique({ where: { id: undoIdOf(started) } }))?.usedAt ?? null
  await expect.poll(used, patience).not.toBeNull()
})

test('a refused switch leaves nothing to undo, and an undo does nothing if email is as it was', async () => {
  await using scene = await openScene({ mail: { elsewhere } })
  const { site, toggle, undo, endOf } = scene
  const refused = await toggle({ status: '1', elsewhere })
  const problem = { code: 'unsuitable', sentence: `DNS sends mail for first.example to ${elsewhere}.` }
  expect(await endOf(refused)).toMatchObject({ state: 'failed', problem })
  await expect.poll(() => db().undo.findUnique({ where: { id: undoIdOf(refused) } }), patience).toBeNull()
  const started = await toggle({ status: '1', anyway: '1', elsewhere })
  expect(await endOf(started)).toMatchObject({ state: 'done' })
  site.email = false
  expect(await undo(undoIdOf(started))).toMatchObject({
    ok: false,
    problem: { sentence: 'Email is off again, so there is nothing to undo.' },
  })
})

test('undoing a switch off accepts the mail server that was accepted before, and no other', async () => {
  await using scene = await openScene({ email: true, mail: { elsewhere } })
  const { site, toggle, undo, endOf } = scene
  const off = await toggle({ status: '0', elsewhere })
  await endOf(off)
  expect(await endOf(await undo(undoIdOf(off)))).toMatchObject({ state: 'done' })
  expect(site.email).toBe(true)
  const again = await toggle({ status: '0', elsewhere })
  await endOf(again)
  site.mail = { elsewhere: 'mx.third.example' }
  const problem = { code: 'unsuitable', sentence: 'DNS sends mail for first.example to mx.third.example.' }
  expect(await endOf(await undo(undoIdOf(again)))).toMatchObject({ state: 'failed', problem })
  expect(site.email).toBe(false)
})

test('a service without extensions gets only the field of the interface', async () => {
  await using scene = await openScene({}, false)
  const { toggle, endOf, sent } = scene
  expect(await endOf(await toggle({ status: '1', anyway: '1' }))).toMatchObject({ state: 'done' })
  expect(sent()).toEqual([{ status: '1' }])
})

test('a viewer neither switches email nor undoes it', async () => {
  await using scene = await openScene()
  const { team, site, toggle, undo, endOf, sent } = scene
  const viewer = await team.join('viewer')
  expect(await toggle({ status: '1' }, viewer)).toMatchObject({ ok: false, problem: { code: 'forbidden' } })
  const started = await toggle({ status: '1' })
  await endOf(started)
  expect(await undo(undoIdOf(started), viewer)).toMatchObject({ ok: false, problem: { code: 'forbidden' } })
  expect([site.email, sent().length]).toEqual([true, 1])
})
