/** Copies elsewhere of sites on a sandbox server: what is copied is restored, also where the backup is not on the server any more, and what refuses. */
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { register } from './conformance/servers'
import { get, post, readInstall, type Said, type Target } from './support/caller'
import { openTestService } from './support/service'
import { createSite, streamBackup } from './support/slow-work'

const domain = 'one.example.org'
const repository = {
  endpoint: 'https://s3.example.org',
  region: 'eu-1',
  bucket: 'copies',
  folder: 'fleet/a',
  key_id: 'KEYID',
  key_secret: 'canary-of-the-key',
  password: 'p'.repeat(43),
}

async function openSite(target: Target): Promise<string> {
  const login = { provider: 'sandbox', host: `${randomUUID()}.test`, port: '22', user: 'root', pass: 'let me in, please' }
  const { id } = await register(target, login, 'copies')
  await readInstall(target, id)
  const { body } = await createSite(target, { domain, server: id, password: 'Correct-horse-9' })
  return String(body.id)
}

const namesOf = async (target: Target, site: string): Promise<string[]> => {
  const { body } = await get(target, `/sites/${site}/backups`)
  return (body.items as { name: string }[]).map(({ name }) => name)
}

test('a copy is restored, and brings its backup back to the server', async () => {
  await using service = await openTestService()
  const site = await openSite(service)
  await streamBackup(service, site)
  const copied = await post(service, `/sites/${site}/copies`, repository)
  expect(copied).toMatchObject({ status: 200, body: { success: true, backup: expect.stringContaining(`${domain}-`) } })
  const { snapshot, backup } = copied.body as Record<string, string>
  await post(service, `/sites/${site}/backups`, { 'ids[]': String(backup) })
  expect(await namesOf(service, site)).not.toContain(backup)
  const restore = (given: Record<string, string> = {}): Promise<Said> =>
    post(service, `/sites/${site}/copies/restore`, { ...repository, snapshot: String(snapshot), backup: String(backup), ...given })
  expect(await restore({ bucket: 'revoked-copies' })).toMatchObject({
    body: { success: false, error: expect.stringContaining('server key') },
  })
  expect(await namesOf(service, site)).not.toContain(backup)
  expect(await restore()).toMatchObject({ status: 200, body: { success: true, kept: expect.stringContaining('.replaced') } })
  expect(await namesOf(service, site)).toContain(backup)
})

test('a proof answers what it finds, by the name of the bucket, and leaves the site as it is', async () => {
  await using service = await openTestService()
  const site = await openSite(service)
  await streamBackup(service, site)
  const { snapshot, backup, sha256 } = (await post(service, `/sites/${site}/copies`, repository)).body as Record<string, string>
  const before = await namesOf(service, site)
  const prove = (bucket: string, more: Record<string, string> = {}): Promise<Said> =>
    post(service, `/sites/${site}/copies/prove`, {
      ...repository,
      bucket,
      snapshot: String(snapshot),
      backup: String(backup),
      sha256: String(sha256),
      ...more,
    })
  for (const [bucket, verdict, cause] of [
    ['copies', 'good', ''],
    ['damaged-copies', 'bad', 'damaged'],
    ['missing-copies', 'bad', 'missing'],
    ['swapped-copies', 'bad', 'other-content'],
    ['truncated-copies', 'bad', 'truncated'],
    ['baddump-copies', 'bad', 'dump'],
    ['changed-copies', 'bad', 'differs'],
    ['busy-copies', 'postponed', 'load'],
    ['full-copies', 'unchecked', 'full'],
    ['revoked-copies', 'unchecked', 'key'],
    ['away-copies', 'unchecked', 'unreachable'],
  ] as const) {
    const reason = verdict === 'good' ? '' : expect.stringMatching(/^[A-Z].*\.$/)
    expect({ bucket, said: await prove(bucket) }).toMatchObject({ said: { status: 200, body: { success: true, verdict, cause, reason } } })
  }
  expect(await prove('copies', { backup: '../x' })).toMatchObject({ status: 422, body: { code: 'invalid' } })
  expect(await namesOf(service, site)).toEqual(before)
})

test('a snapshot or backup that no copy can have is refused before anything is done, and sites of others are not found', async () => {
  await using service = await openTestService()
  const site = await openSite(service)
  const good = { ...repository, snapshot: 'a'.repeat(64), backup: `${domain}-20260101-000000-manual.tar.zst` }
  const path = `/sites/${site}/copies/restore`
  for (const wrong of [
    { snapshot: '--help' },
    { snapshot: '' },
    { backup: '../x' },
    { backup: '$(id)' },
    { folder: '../a' },
    { password: 'short' },
  ])
    expect({ wrong, said: await post(service, path, { ...good, ...wrong }) }).toMatchObject({
      said: { status: 422, body: { code: 'invalid' } },
    })
  const stranger = { ...service, key: await service.createKey('stranger') }
  expect(await post(stranger, path, good)).toMatchObject({ status: 404, body: { code: 'not_found' } })
})
