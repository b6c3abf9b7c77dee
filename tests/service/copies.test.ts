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

test('the newest backup of a server itself is copied, unless it has none, the target refuses, or the server is of another account', async () => {
  await using service = await openTestService()
  await openSite(service)
  const { body } = await get(service, '/servers')
  const path = `/servers/${(body.items as { id: string }[])[0]?.id}`
  const all = (await get(service, `${path}/backups`)).body.items as { name: string; proven: boolean }[]
  const copied = { success: true, backup: all.find(({ proven }) => proven)?.name, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) }
  expect(await post(service, `${path}/copies`, repository)).toMatchObject({ status: 200, body: copied })
  expect(await post(service, `${path}/copies`, { ...repository, bucket: 'revoked-copies' })).toMatchObject({
    body: { success: false, error: expect.stringContaining('server key') },
  })
  expect(await post(service, `${path}/copies`, { ...repository, password: 'short' })).toMatchObject({ status: 422 })
  const stranger = { ...service, key: await service.createKey('stranger') }
  expect(await post(stranger, `${path}/copies`, repository)).toMatchObject({ status: 404, body: { code: 'not_found' } })
  for (const { name } of all) await post(service, `${path}/deletebackup`, { 'ids[]': name })
  const none = { success: false, error: expect.stringContaining('The server has no backup yet.') }
  expect(await post(service, `${path}/copies`, repository)).toMatchObject({ body: none })
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
    ['altered-copies', 'bad', 'differs'],
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

const storage = {
  sftp: {
    kind: 'sftp',
    host: 'storage.example.org',
    port: '22',
    user: 'copies',
    folder: 'fleet/a',
    host_key: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAICItoPHUXXaaVr5v+/9k+vvutesvrmo9HPZBlFcTyRxU',
    private_key: 'b'.repeat(352),
  },
  folder: { kind: 'folder', folder: '/mnt/backups/a' },
} as const

test.each(['sftp', 'folder'] as const)('a copy at a target of the kind %s is restored', async (kind) => {
  await using service = await openTestService()
  const site = await openSite(service)
  await streamBackup(service, site)
  const target = { ...storage[kind], password: repository.password }
  const copied = await post(service, `/sites/${site}/copies`, target)
  expect(copied).toMatchObject({ status: 200, body: { success: true } })
  const { snapshot, backup } = copied.body as Record<string, string>
  const copy = { ...target, snapshot: String(snapshot), backup: String(backup) }
  expect(await post(service, `/sites/${site}/copies/restore`, copy)).toMatchObject({ status: 200, body: { success: true } })
})

test('a target is tested from a server, which reports what refuses it, and the host key that it shows', async () => {
  await using service = await openTestService()
  await openSite(service)
  const { body } = await get(service, '/servers')
  const path = `/servers/${(body.items as { id: string }[])[0]?.id}/copies/test`
  const { host_key, private_key, ...unconfirmed } = storage.sftp
  const shown = { result: 'shown', host_key: expect.stringMatching(/^ssh-ed25519 /) }
  expect(await post(service, path, unconfirmed)).toMatchObject({ status: 200, body: shown })
  const passed = { result: 'passed', deletes: true, overwrites: true, ahead: '0' }
  expect(await post(service, path, { ...unconfirmed, host_key, private_key })).toMatchObject({ status: 200, body: passed })
  const changed = { ...storage.sftp, host: 'changed-storage.example.org' }
  expect(await post(service, path, changed)).toMatchObject({ status: 200, body: { result: 'host-key' } })
  expect(await post(service, path, { kind: 'folder', folder: '/mnt/unmounted-disk' })).toMatchObject({ body: { result: 'unmounted' } })
  const kept = { result: 'passed', deletes: false, overwrites: false, maintenance: 'passed' }
  const maintained = { ...storage.sftp, access: 'rclone', maintenance_key: private_key }
  expect(await post(service, path, maintained)).toMatchObject({ status: 200, body: kept })
  expect(await post(service, path, { ...maintained, host: 'deletes-storage.example.org' })).toMatchObject({ body: { deletes: true } })
  const refused = { result: 'passed', maintenance: 'key' }
  expect(await post(service, path, { ...maintained, host: 'unmaintained-storage.example.org' })).toMatchObject({ body: refused })
  for (const wrong of [
    { kind: 's3', folder: 'a' },
    { folder: 'a' },
    { kind: 'folder', folder: 'mnt' },
    { ...storage.sftp, host: '-oProxyCommand=id' },
    { ...unconfirmed, host_key },
  ])
    expect({ wrong, said: await post(service, path, wrong) }).toMatchObject({ said: { status: 422, body: { code: 'invalid' } } })
  const stranger = { ...service, key: await service.createKey('stranger') }
  expect(await post(stranger, path, storage.sftp)).toMatchObject({ status: 404, body: { code: 'not_found' } })
})

test('copies of a sandbox server are deleted by simulation, with the faults of its buckets; of a server that is gone, by restic', async () => {
  await using service = await openTestService()
  const login = { provider: 'sandbox', host: `${randomUUID()}.test`, port: '22', user: 'root', pass: 'let me in, please' }
  const { id } = await register(service, login, 'copies')
  const prune = (given: Record<string, string> = {}): Promise<Said> =>
    post(service, '/sites/prunecopies', { ...repository, 'snapshots[]': 'a'.repeat(64), of_server: id, ...given })
  expect(await prune()).toMatchObject({ status: 200, body: { success: true, removed: 1 } })
  for (const [bucket, why] of [
    ['full-copies', 'full'],
    ['revoked-copies', 'maintenance key'],
    ['away-copies', 'can’t reach'],
  ] as const)
    expect(await prune({ bucket })).toMatchObject({ status: 409, body: { code: 'unsuitable', error: expect.stringContaining(why) } })
  const shared = { password: repository.password, 'snapshots[]': 'a'.repeat(64) }
  const bySftp = { ...storage.sftp, ...shared, folder: '/team/a' }
  const inFolder = { ...shared, kind: 'folder', folder: '/mnt/backups/a' }
  const pruneAt = (given: Record<string, string>): Promise<Said> => post(service, '/sites/prunecopies', { of_server: id, ...given })
  for (const given of [bySftp, inFolder]) expect(await pruneAt(given)).toMatchObject({ status: 200, body: { removed: 1 } })
  expect(await pruneAt({ ...bySftp, host: 'away-storage.example.org' })).toMatchObject({ status: 409 })
  const gone = { status: 409, body: { error: expect.stringContaining('Only the server itself reaches this folder') } }
  expect(await pruneAt({ ...inFolder, of_server: '' })).toMatchObject(gone)
  const inside = { status: 409, body: { error: expect.stringContaining('private network') } }
  expect(await pruneAt({ ...bySftp, of_server: '', host: '10.0.0.1' })).toMatchObject(inside)
  for (const wrong of [{ 'snapshots[]': '--keep-last=1' }, { 'snapshots[]': '' }, { password: 'short' }, { folder: '../a' }])
    expect(await prune(wrong)).toMatchObject({ status: 422, body: { code: 'invalid' } })
  const real = await prune({ of_server: '', endpoint: 'https://10.0.0.1' })
  expect(real).toMatchObject({ status: 409, body: { error: expect.stringContaining('private network') } })
})
