/** What every provider must do for backups of sites, and for downloads, over HTTP. */
import { gunzipSync } from 'node:zlib'
import { expect } from 'vitest'
import { get, post, type Said, send, type Target } from '../support/caller'
import { createSite, deleteSite, streamBackup, streamDownload, streamRestore } from '../support/slow-work'
import { expectWhole, itemOf, newSite, type SitesTarget } from './sites'

type Listed = { name: string; size: number; date: string; created_at: string; proven: boolean; reason: string; taken: string[] }

async function backupsOf(target: Target, id: string): Promise<Listed[]> {
  const { status, body } = await get(target, `/sites/${id}/backups`)
  expect({ status, success: body.success }).toEqual({ status: 200, success: true })
  return body.items as Listed[]
}

const deleteBackups = (target: Target, id: string, names: readonly string[]): Promise<Said> =>
  send(target, `/sites/${id}/backups`, new URLSearchParams(names.map((name) => ['ids[]', name])))

const domain = 'backups.example.org'
const [kept, lost] = ['kept.backups.example.org', 'lost.backups.example.org']

/** Names that a path, a shell or a program could take for something else. */
const odd = ['', '../x', '/etc/passwd', '-rf', '.hidden', `${domain}.tar.gz`, '$(id)', 'a\nb', `../${domain}-20260101-000000-manual.tar.gz`]

async function proveRefusals(target: Target, stranger: Target, id: string): Promise<void> {
  for (const name of odd) {
    expect({ name, said: await post(target, `/sites/${id}`, { restore: name }) }).toMatchObject({
      said: { status: 422, body: { code: 'invalid' } },
    })
    expect({ name, said: await deleteBackups(target, id, [name]) }).toMatchObject({ said: { status: 422, body: { code: 'invalid' } } })
  }
  expect(await deleteBackups(target, id, [])).toMatchObject({ status: 422 })
  const absent = `${domain}-20200101-000000-manual.tar.zst`
  expect(await post(target, `/sites/${id}`, { restore: absent })).toMatchObject({ status: 409, body: { code: 'changed_meanwhile' } })
  expect(await deleteBackups(target, id, [absent])).toMatchObject({ status: 200, body: { success: true } })
  for (const [who, which] of [[target, 'no-such-site'] as const, [stranger, id] as const]) {
    for (const path of ['backups', 'backup/creates', 'download'])
      expect(await get(who, `/sites/${which}/${path}`)).toMatchObject({ status: 404, body: { code: 'not_found' } })
    expect(await post(who, `/sites/${which}`, { restore: absent })).toMatchObject({ status: 404 })
  }
}

async function proveBackups(target: SitesTarget, id: string): Promise<Listed> {
  expect(await backupsOf(target, id)).toEqual([])
  expect(await streamBackup(target, id, { lastEventId: 0 })).toMatchObject({ status: 404, body: { code: 'no_install' } })
  // By a client that is cut off and comes back.
  const begun = await streamBackup(target, id, { until: 1 })
  const whole = await streamBackup(target, id, { lastEventId: (begun.events[0]?.id ?? 0) - 1 })
  expectWhole(whole, { success: true })
  const [made, ...others] = await backupsOf(target, id)
  if (!made) throw new Error('The backup is not listed.')
  expect(others).toEqual([])
  expect(made).toEqual({
    name: expect.stringMatching(/^backups\.example\.org-\d{8}-\d{6}-manual\.tar\.(zst|gz)$/),
    size: expect.any(Number),
    date: expect.stringMatching(/^[A-Z][a-z]{2} \d\d \d\d:\d\d$/),
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    proven: true,
    reason: 'manual',
    taken: [],
  })
  return made
}

async function proveRestore(target: SitesTarget, id: string, { name }: Listed): Promise<void> {
  const restored = await streamRestore(target, id, { restore: name, backup_first: '1' })
  expectWhole(restored, { success: true, kept: expect.stringMatching(/^\/home\/.*\/\.replaced$/) })
  expect(restored.events.some(({ message }) => /^The site was paused for \d\.\d s\.$/.test(message))).toBe(true)
  const reasons = (await backupsOf(target, id)).map(({ reason }) => reason)
  expect(reasons.toSorted()).toEqual(['manual', 'restore'])
  expect(await post(target, `/sites/${id}`, { restore: name })).toMatchObject({ status: 200, body: { success: true } })
  expect(await backupsOf(target, id)).toHaveLength(2)
  expect((await get(target, `/sites/${id}/summary`)).body).toMatchObject({ item: [{ state: 'ready' }] })
}

/** The link is on the service's own origin, needs no key, and is good until its last byte was sent. */
async function proveDownload(target: SitesTarget, id: string): Promise<void> {
  const { events } = await streamDownload(target, id)
  expect(events.at(-1)).toMatchObject({ status: 'done', result: { success: true } })
  const { download_url: link, size, expires } = (events.at(-1)?.result ?? {}) as { download_url: string; size: number; expires: string }
  expect(new URL(link).origin).toBe(new URL(target.baseUrl).origin)
  const left = Date.parse(expires) - Date.now()
  expect(left > 13 * 60_000 && left <= 15 * 60_000).toBe(true)
  expect((await fetch(link, { method: 'HEAD' })).status).toBe(405)
  expect(new URL(link).pathname).toMatch(/^\/downloads\/[\w-]{43}\/backups\.example\.org-\d{4}-\d\d-\d\d\.tar\.gz$/)
  const other = await fetch(link.replace('/downloads/', '/downloads/AAAA'))
  expect([other.status, await other.json()]).toMatchObject([404, { code: 'not_found' }])

  const part = await fetch(link, { headers: { range: 'bytes=2-9' } })
  expect([part.status, part.headers.get('content-range'), part.headers.get('content-length')]).toEqual([206, `bytes 2-9/${size}`, '8'])
  const middle = Buffer.from(await part.arrayBuffer())
  const beyond = await fetch(link, { headers: { range: `bytes=${size}-` } })
  expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, `bytes */${size}`])

  const whole = await fetch(link)
  expect([whole.status, whole.headers.get('content-length'), whole.headers.get('cache-control')]).toEqual([
    200,
    String(size),
    expect.stringContaining('no-store'),
  ])
  expect(whole.headers.get('content-disposition')).toMatch(/^attachment; filename="backups\.example\.org-[\d-]+\.tar\.gz"$/)
  const bytes = Buffer.from(await whole.arrayBuffer())
  expect(bytes).toHaveLength(size)
  expect(bytes.subarray(2, 10)).toEqual(middle)
  const unpacked = gunzipSync(bytes).toString('latin1')
  for (const text of ['destination local', 'Dump completed', 'This site is ready']) expect(unpacked).toContain(text)
  await expect.poll(async () => (await fetch(link)).status).toBe(404)
}

/** stranger: the same service with the key of another account. Leaves the server without the site that it creates. */
export async function proveSiteBackups(target: SitesTarget, stranger: Target): Promise<void> {
  const id = String((await createSite(target, newSite(target, domain))).body.id)
  const made = await proveBackups(target, id)
  await proveRefusals(target, stranger, id)
  expect(await backupsOf(target, id)).toEqual([made])
  await proveRestore(target, id, made)
  await proveDownload(target, id)
  const all = (await backupsOf(target, id)).map(({ name }) => name)
  expect(await deleteBackups(target, id, all.slice(0, 1))).toMatchObject({ status: 200, body: { success: true } })
  expect((await backupsOf(target, id)).map(({ name }) => name)).toEqual(all.slice(1))
  // A site that is created again has the backups from before, and gets its names back.
  for (const alias of [kept, lost]) expect(await post(target, `/sites/${id}/savealias`, { alias })).toMatchObject({ status: 200 })
  expect(await deleteSite(target, id)).toMatchObject({ status: 200 })
  const other = String((await createSite(target, newSite(target, lost))).body.id)
  const again = String((await createSite(target, newSite(target, domain))).body.id)
  const there = await backupsOf(target, again)
  const last = there.find(({ reason }) => reason === 'delete')
  expect(last).toMatchObject({ proven: true, taken: [lost] })
  expect(there.map(({ name }) => name).filter((name) => name !== last?.name)).toEqual(all.slice(1))
  const said = (await streamRestore(target, again, { restore: last?.name ?? '' })).events.at(-1)
  expect(said).toMatchObject({
    status: 'done',
    message: expect.stringContaining(`Not as before: the alias ${lost}, which is a name of another site now`),
  })
  expect((await itemOf(target, `/sites/${again}/aliases`)).aliases).toMatchObject([{ domain: kept }])
  for (const each of [again, other]) expect(await deleteSite(target, each, '?without_backup=1')).toMatchObject({ status: 200 })
}
