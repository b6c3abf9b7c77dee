/** What a service says of its sites and copies, in the commands of the recovery kit, which people run as they are. */
import { expect, test } from 'vitest'
import { db } from '@/lib/portal/base/db'
import { createOpaqueId } from '@/lib/portal/base/opaque-id'
import { addBackupTarget } from '@/lib/portal/subjects/backup-targets/change'
import { downloadKit } from '@/lib/portal/subjects/backup-targets/change-kit'
import { concludeCopy, noteCopyBegun } from '@/lib/portal/subjects/backup-targets/copy-job'
import { renderKit } from '@/lib/portal/subjects/backup-targets/kit'
import { ensureRepository } from '@/lib/portal/subjects/backup-targets/repository'
import type { BackupCopy, BackupRepository, BackupTarget, Job } from '@/prisma/generated/portal/client'
import { startBucketServer } from '@/tests/support/bucket-server'
import { inputOf } from '@/tests/support/own-input'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { createTeam } from '@/tests/support/portal-team'

const good = { snapshot: 'a'.repeat(64), backup: 'one.test-20261128-021400-nightly.tar.zst', bytes: 1, sha256: 'c'.repeat(64) }

/** The state of a copy of which a service says this, and the kit with it. */
async function kitOf({
  serverName = 'web-1',
  domain = 'one.test',
  answer = {},
}: {
  serverName?: string
  domain?: string
  answer?: object
}) {
  await using _ = await openPortalDatabase()
  await using bucket = await startBucketServer()
  const owner = await (await createTeam()).join('owner')
  expect(await addBackupTarget(inputOf(owner, bucket.fields))).toMatchObject({ ok: true })
  const target = await db().backupTarget.findFirstOrThrow()
  const repository = await ensureRepository(target, { id: createOpaqueId(), name: serverName })
  const jobId = createOpaqueId()
  await noteCopyBegun({ jobId, repository, subject: { id: createOpaqueId(), domain } })
  const end = { state: 'done', problem: null, answer: { ...good, ...answer } } as const
  await concludeCopy({ row: { id: jobId } as Job, connection: null }, end)
  const kit = await downloadKit(inputOf(owner, { targetId: target.id }))
  if (!kit.ok) throw new Error(kit.problem.sentence)
  const { state } = await db().backupCopy.findFirstOrThrow()
  return { state, text: kit.data.text }
}

test('a copy with plain names has its commands', async () => {
  const { state, text } = await kitOf({})
  expect(state).toBe('done')
  expect(text).toContain(
    `\n    restic restore ${good.snapshot} --target .\n    echo '${good.sha256}  one.test-20261128-021400-nightly.tar' | sha256sum -c\n    mkdir one.test\n    tar -xf one.test-20261128-021400-nightly.tar -C one.test\n`,
  )
})

test('a copy of the server itself has its own commands, in a folder that no site has', async () => {
  const { text } = await kitOf({ domain: '', answer: { backup: 'backup-2026-11-28-021400.tar.gz' } })
  expect(text).toContain('The server itself: newest copy of')
  expect(text).toContain('\n    mkdir server_itself\n    tar -xf backup-2026-11-28-021400.tar -C server_itself\n')
})

test.each([
  { snapshot: 'aaaaaaaa; echo PWNED' },
  { snapshot: '--password-command=echo PWNED' },
  { snapshot: 'aaaaaaaa\n    echo PWNED' },
  { backup: 'x.tar.zst; echo PWNED #.zst' },
  { backup: 'PWNED:x.tar.zst' },
  { backup: '../PWNED.tar.zst' },
  { sha256: "'; echo PWNED; '" },
])('a copy of which the service says $snapshot$backup does not count, and no command has it', async (answer) => {
  const { state, text } = await kitOf({ answer })
  expect(state).toBe('unknown')
  expect(text).not.toContain('PWNED')
})

test.each(['one.test; echo PWNED', '../PWNED', '-PWNED', 'one.test\n    echo PWNED'])('no command has the domain %j', async (domain) => {
  expect((await kitOf({ domain })).text).not.toContain('PWNED')
})

test('the name of a server stays in its line', async () => {
  const { text } = await kitOf({ serverName: 'web-1\n    echo PWNED' })
  expect(text.split('\n').filter((line) => line.includes('PWNED'))).toEqual(['SERVER · web-1     echo PWNED'])
})

test('the kit of the team’s target opens the copies of all its servers, so it needs the right to download from all of them', async () => {
  await using _ = await openPortalDatabase()
  await using bucket = await startBucketServer()
  const admin = await (await createTeam()).join('admin')
  expect(await addBackupTarget(inputOf(admin, { ...bucket.fields, keeper: 'team' }))).toMatchObject({ ok: true })
  const target = await db().backupTarget.findFirstOrThrow()
  const [granted, other] = [createOpaqueId(), createOpaqueId()]
  await ensureRepository(target, { id: granted, name: 'web-1' })
  const download = () => downloadKit(inputOf(admin, { targetId: target.id }))
  await db().grantScope.updateMany({ data: { kind: 'server', about: granted } })
  expect(await download()).toMatchObject({ ok: true })
  await ensureRepository(target, { id: other, name: 'web-2' })
  expect(await download()).toMatchObject({ ok: false, problem: { code: 'forbidden' } })
  await db().grantScope.updateMany({ data: { kind: 'everything', about: '' } })
  expect(await download()).toMatchObject({ ok: true })
  await db().grant.updateMany({ data: { effects: 'read,change' } })
  expect(await download()).toMatchObject({ ok: false, problem: { code: 'forbidden' } })
})

test('the password of a repository opens the backups of the server itself too, so its kit needs the right to them', async () => {
  await using _ = await openPortalDatabase()
  await using bucket = await startBucketServer()
  const admin = await (await createTeam()).join('admin')
  expect(await addBackupTarget(inputOf(admin, { ...bucket.fields, keeper: 'team' }))).toMatchObject({ ok: true })
  const target = await db().backupTarget.findFirstOrThrow()
  const serverId = createOpaqueId()
  const repository = await ensureRepository(target, { id: serverId, name: 'web-1' })
  const download = () => downloadKit(inputOf(admin, { targetId: target.id }))
  await db().grant.updateMany({ data: { subjects: 'backups' } })
  await noteCopyBegun({ jobId: createOpaqueId(), repository, subject: { id: createOpaqueId(), domain: 'one.test' } })
  expect(await download()).toMatchObject({ ok: true })
  await noteCopyBegun({ jobId: createOpaqueId(), repository, subject: { id: serverId, domain: '' } })
  expect(await download()).toMatchObject({ ok: false, problem: { code: 'forbidden' } })
  await db().grant.updateMany({ data: { subjects: 'backups,serverBackups' } })
  expect(await download()).toMatchObject({ ok: true })
})

test('the commands of two servers unpack each server into a folder', () => {
  const target = { id: 't', label: 'NAS', secretVersion: 1, kind: 'folder', address: '{"folder":"/mnt/backups"}' } as BackupTarget
  const copy = {
    domain: '',
    backup: 'backup-2026-11-28-021400.tar.gz',
    snapshot: 'aaaaaaaa',
    sha256: '',
    endedAt: new Date(0),
  } as BackupCopy
  const servers = ['web-1', 'web-2'].map((id) => ({ row: { id, serverName: id } as BackupRepository, password: 'p', newest: [copy] }))
  const text = renderKit(target, { kind: 'folder' }, servers, new Date(0))
  expect(text.match(/ mkdir .*/g)).toEqual([' mkdir server_itself', ' mkdir server_itself_2'])
  expect(text).toContain('to ./server_itself_2/databases.')
})
