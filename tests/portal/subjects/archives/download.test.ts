/** An archive is prepared as a job, and passed on without the API key to the member who prepared it. */
import { expect, test } from 'vitest'
import { GET } from '@/app/api/jobs/[jobId]/archive/file/route'
import { contract } from '@/lib/contract'
import { db } from '@/lib/portal/base/db'
import { verifyRing } from '@/lib/portal/custody/rotation'
import { pruneKeptForJobs } from '@/lib/portal/entry/retention/kept-for-jobs'
import type { Person } from '@/lib/portal/identity/actor'
import { sealSid } from '@/lib/portal/identity/cookie'
import { startJob } from '@/lib/portal/jobs/start'
import { findJob } from '@/lib/portal/jobs/view'
import { fetchPrepared } from '@/lib/portal/subjects/archives/fetch'
import { viewArchive } from '@/lib/portal/subjects/archives/view'
import { listServers } from '@/lib/portal/subjects/servers/list'
import { listSites } from '@/lib/portal/subjects/sites/list'
import { UpstreamFailure } from '@/lib/portal/upstream/failure'
import { signedInLately } from '@/tests/support/own-input'
import { dumpPortal, openPortalDatabase } from '@/tests/support/portal-database'
import { createTeam } from '@/tests/support/portal-team'
import { forgetProcess } from '@/tests/support/reset-process'
import { startUpstream, type UpstreamOptions } from '@/tests/support/upstream/upstream'
import { openFor } from '../../identity/people'

const patience = { timeout: 20_000 }
const bytes = Buffer.from('An archive with a secret in it. '.repeat(20_000))

async function openScene(options: UpstreamOptions = { extensions: true }, elsewhere?: string) {
  const database = await openPortalDatabase()
  const upstream = await startUpstream(options)
  upstream.addServer({ name: 'web-01' })
  upstream.addSite({ domain: 'first.example', archive: { bytes, ...(elsewhere !== undefined && { elsewhere }) } })
  const team = await createTeam()
  const actor = await team.join('operator')
  await team.connect(upstream)
  await listServers(actor)
  const siteId = (await listSites(actor)).sites[0]?.id ?? ''
  const prepare = (by: Person, stepUp = signedInLately) => startJob(by, contract.sites.download, { siteId }, {}, { stepUp })
  return {
    database,
    upstream,
    team,
    actor,
    siteId,
    prepare,
    async prepared() {
      const started = await prepare(actor)
      if (!started.ok) throw new Error(started.problem.sentence)
      const { jobId } = started.data
      await expect.poll(async () => (await findJob(actor, jobId))?.endedAt ?? null, patience).not.toBeNull()
      return jobId
    },
    fetches: () => upstream.calls.filter(({ path }) => path.startsWith('/archives/')),
    async [Symbol.asyncDispose]() {
      await upstream[Symbol.asyncDispose]()
      await database[Symbol.asyncDispose]()
    },
  }
}

async function readAll(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = []
  for await (const chunk of chunks) parts.push(chunk)
  return Buffer.concat(parts)
}

/** Everything that the database holds, as text. */
const readRows = async () => JSON.stringify([await db().job.findMany(), await db().jobEvent.findMany(), await db().auditRow.findMany()])

test('security 26: an archive is fetched without the key, and neither job nor audit log has its link', async () => {
  await using scene = await openScene()
  const { actor, upstream, prepared, fetches } = scene
  const jobId = await prepared()
  expect(await viewArchive(actor, jobId)).toMatchObject({ state: 'ready', size: bytes.length, expires: expect.any(String), link: null })
  const fetched = await fetchPrepared(actor, jobId, {})
  if (!fetched.ok) throw new Error(fetched.problem.sentence)
  const { status, headers, name, chunks } = fetched.data
  expect([status, name]).toEqual([200, expect.stringMatching(/^first\.example-\d{4}-\d\d-\d\d\.tar\.zst$/)])
  expect(headers).toEqual({ 'content-length': String(bytes.length), 'accept-ranges': 'bytes', etag: '"one"' })
  expect((await readAll(chunks)).equals(bytes)).toBe(true)
  expect(fetches().map(({ headers: sent }) => [sent.authorization, sent['accept-encoding']])).toEqual([[undefined, 'identity']])
  expect(JSON.stringify(fetches().map(({ headers: sent }) => sent))).not.toContain(upstream.key)
  expect(await viewArchive(actor, jobId)).toEqual({ state: 'taken' })
  const rows = await readRows()
  expect([rows.includes('/archives/'), rows.includes('archive.download')]).toEqual([false, true])
})

test('another portal, or the same one after a restart, passes on what the first one prepared, each byte once', async () => {
  await using scene = await openScene()
  const { actor, prepared } = scene
  const jobId = await prepared()
  forgetProcess()
  expect(await viewArchive(actor, jobId)).toMatchObject({ state: 'ready', size: bytes.length, link: null })
  const fetched = await fetchPrepared(actor, jobId, {})
  if (!fetched.ok) throw new Error(fetched.problem.sentence)
  expect((await readAll(fetched.data.chunks)).equals(bytes)).toBe(true)
  forgetProcess()
  expect(await viewArchive(actor, jobId)).toEqual({ state: 'taken' })
  expect(await db().auditRow.count({ where: { action: 'archive.download' } })).toBe(1)
})

test('security 4: the link is in no file of the database, and a row that was altered leads nowhere', async () => {
  await using scene = await openScene()
  const { database, team, prepared, fetches } = scene
  const jobId = await prepared()
  expect(dumpPortal(database).includes('/archives/')).toBe(false)
  expect(await verifyRing()).toMatchObject({ broken: [] })
  const colleague = await team.join('operator')
  await db().preparedArchive.updateMany({ data: { userId: colleague.user.id } })
  expect(await fetchPrepared(colleague, jobId, {})).toMatchObject({ ok: false, problem: { code: 'not_found' } })
  expect(fetches()).toEqual([])
})

test('an archive is offered until its time is over, and its row goes with the next pruning', async () => {
  await using scene = await openScene()
  const jobId = await scene.prepared()
  expect(await pruneKeptForJobs()).toBe(0)
  await db().preparedArchive.updateMany({ data: { expiresAt: new Date(Date.now() - 1) } })
  expect(await viewArchive(scene.actor, jobId)).toEqual({ state: 'gone' })
  expect([await pruneKeptForJobs(), await db().preparedArchive.count()]).toEqual([1, 0])
})

test('ranges are passed on, the fetch is in the audit log once, and the last byte ends it', async () => {
  await using scene = await openScene()
  const { actor, prepared, fetches } = scene
  const jobId = await prepared()
  const parts: Buffer[] = []
  for (const range of ['bytes=0-99', 'bytes=100-']) {
    const fetched = await fetchPrepared(actor, jobId, { range, ifRange: '"one"' })
    if (!fetched.ok) throw new Error(fetched.problem.sentence)
    expect(fetched.data.status).toBe(206)
    expect(fetched.data.headers['content-range']).toMatch(/^bytes \d+-\d+\/\d+$/)
    parts.push(await readAll(fetched.data.chunks))
    if (parts.length === 1) expect(await viewArchive(actor, jobId)).toMatchObject({ state: 'ready' })
  }
  expect(Buffer.concat(parts).equals(bytes)).toBe(true)
  expect(fetches().map(({ headers }) => headers['if-range'])).toEqual(['"one"', '"one"'])
  expect(await db().auditRow.count({ where: { action: 'archive.download' } })).toBe(1)
  expect(await viewArchive(actor, jobId)).toEqual({ state: 'taken' })
  expect(await fetchPrepared(actor, jobId, {})).toMatchObject({ ok: false, problem: { code: 'not_found' } })
})

test('a browser gets an attachment named after the domain, which nothing caches or compresses', async () => {
  await using scene = await openScene()
  const { actor, team, prepared } = scene
  const jobId = await prepared()
  const { sid } = await openFor({ userId: actor.user.id, teamId: team.id, email: actor.user.email })
  const headers = { cookie: `gatehouse-session=${await sealSid(sid)}`, range: 'bytes=0-9' }
  const ask = (more: Record<string, string> = {}) =>
    GET(new Request(`http://localhost:3000/api/jobs/${jobId}/archive/file`, { headers: { ...headers, ...more } }), {
      params: Promise.resolve({ jobId }),
    })
  expect((await ask({ 'sec-fetch-site': 'cross-site' })).status).toBe(403)
  const response = await ask()
  expect([response.status, await response.text()]).toEqual([206, 'An archive'])
  expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="first\.example-\d{4}-\d\d-\d\d\.tar\.zst"$/)
  expect(response.headers.get('content-type')).toBe('application/octet-stream')
  expect(response.headers.get('cache-control')).toBe('no-store, no-transform')
  for (const name of ['set-cookie', 'x-powered-by']) expect([name, response.headers.get(name)]).toEqual([name, null])
})

test('security 26: an archive at another origin is fetched by the portal, without the key, and no link is handed out', async () => {
  await using other = await startUpstream({ extensions: true })
  other.model.archives.set('/archives/first.tar.gz', bytes)
  await using scene = await openScene({}, `${other.origin}/archives/first.tar.gz`)
  const { actor, upstream, prepared } = scene
  const jobId = await prepared()
  expect(await viewArchive(actor, jobId)).toMatchObject({ state: 'ready', link: null, elsewhere: true, login: false })
  const fetched = await fetchPrepared(actor, jobId, {})
  if (!fetched.ok) throw new Error(fetched.problem.sentence)
  expect((await readAll(fetched.data.chunks)).equals(bytes)).toBe(true)
  expect(fetched.data.name).toMatch(/\.tar\.gz$/)
  expect(other.calls.map(({ path, headers }) => [path, headers.authorization])).toEqual([['/archives/first.tar.gz', undefined]])
  expect(JSON.stringify(other.calls)).not.toContain(upstream.key)
})

test('security 30: a service leads to its own host, not to another private address, also if the operator permits that for another service', async () => {
  await using scene = await openScene({}, 'https://127.0.0.2:1/first.tar.gz')
  const { actor, prepared } = scene
  const jobId = await prepared()
  expect(await viewArchive(actor, jobId)).toEqual({ state: 'withheld' })
  expect(await fetchPrepared(actor, jobId, {})).toMatchObject({ ok: false, problem: { code: 'address_refused' } })
})

test('security 26: a link with a login is not fetched, and shown to nobody but those who keep the connection', async () => {
  await using scene = await openScene({})
  const { actor, team, upstream, prepare } = scene
  const site = [...upstream.model.sites.values()][0]
  if (site) site.archive = { bytes, elsewhere: `${upstream.origin.replace('//', '//name:word@')}/archives/x` }
  const jobOf = async (by: Person) => {
    const started = await prepare(by)
    const jobId = started.ok ? started.data.jobId : ''
    await expect.poll(async () => (await findJob(by, jobId))?.endedAt ?? null, patience).not.toBeNull()
    return jobId
  }
  const admin = await team.join('admin')
  const [theirs, kept] = [await jobOf(actor), await jobOf(admin)]
  expect(await viewArchive(actor, theirs)).toEqual({ state: 'withheld' })
  expect(await viewArchive(admin, kept)).toMatchObject({ state: 'ready', link: site?.archive.elsewhere, elsewhere: false, login: true })
  for (const [who, jobId] of [
    [actor, theirs],
    [admin, kept],
  ] as const)
    expect(await fetchPrepared(who, jobId, {})).toMatchObject({ ok: false, problem: { code: 'address_refused' } })
  expect(scene.fetches()).toEqual([])
  expect(await db().auditRow.count({ where: { action: 'archive.download' } })).toBe(0)
})

test.each([
  ['from the root', '/archives/x', '/archives/x'],
  ['from the address that was asked', '../../archives/x', '/archives/x'],
  ['below the address that was asked', 'x?part=1', '/sites/$ID/x?part=1'],
])('a link that is relative, %s, leads to the service', async (_, elsewhere, path) => {
  await using scene = await openScene({ extensions: false }, elsewhere)
  const { actor, upstream, prepared } = scene
  const siteId = [...upstream.model.sites.keys()][0] ?? ''
  const jobId = await prepared()
  expect(await viewArchive(actor, jobId)).toMatchObject({ state: 'ready', link: null, elsewhere: false, login: false })
  await fetchPrepared(actor, jobId, {})
  expect(upstream.calls.at(-1)).toMatchObject({ path: path.replace('$ID', siteId), headers: { accept: '*/*' } })
})

test('security 32: a redirect of the archive is not followed, and an answer that breaks off is an error', async () => {
  await using scene = await openScene()
  const { actor, upstream, prepared } = scene
  const jobId = await prepared()
  upstream.set('redirect-302')
  expect(await fetchPrepared(actor, jobId, {})).toMatchObject({ ok: false, problem: { code: 'upstream_redirected' } })
  upstream.clear()
  upstream.set('wrong-length')
  const fetched = await fetchPrepared(actor, jobId, {})
  if (!fetched.ok) throw new Error(fetched.problem.sentence)
  await expect(readAll(fetched.data.chunks)).rejects.toBeInstanceOf(UpstreamFailure)
  upstream.clear()
  expect(await viewArchive(actor, jobId)).toMatchObject({ state: 'ready' })
})

test('security 23: viewers have no archive, a sign-in has to be recent, and nobody fetches what another prepared', async () => {
  await using scene = await openScene()
  const { actor, team, prepare, prepared, fetches, upstream } = scene
  const viewer = await team.join('viewer')
  expect(await prepare(viewer)).toMatchObject({ ok: false, problem: { code: 'forbidden' } })
  expect(await startJob(actor, contract.sites.download, { siteId: scene.siteId })).toMatchObject({ ok: false })
  expect(upstream.calls.filter(({ path }) => path.endsWith('/download'))).toEqual([])
  const jobId = await prepared()
  const other = await team.join('owner')
  expect(await viewArchive(other, jobId)).toEqual({ state: 'theirs' })
  for (const member of [other, viewer])
    expect(await fetchPrepared(member, jobId, {})).toMatchObject({ ok: false, problem: { code: 'forbidden' } })
  const stranger = await (await createTeam()).join('owner')
  expect(await fetchPrepared(stranger, jobId, {})).toMatchObject({ ok: false, problem: { code: 'not_found' } })
  expect(fetches()).toEqual([])
})

test('an answer without a link fails the job', async () => {
  await using scene = await openScene({ extensions: true })
  const { actor, upstream, prepared } = scene
  upstream.set('install-done', { path: `/sites/${[...upstream.model.sites.keys()][0]}/download` })
  const jobId = await prepared()
  expect((await findJob(actor, jobId))?.state).not.toBe('done')
  expect(await viewArchive(actor, jobId)).toEqual({ state: 'gone' })
})
