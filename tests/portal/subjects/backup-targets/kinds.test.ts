/** Targets by SFTP and in a folder: tested from a server that the member chooses, with a host key that they confirm. */
import { expect, test } from 'vitest'
import { db } from '@/lib/portal/base/db'
import { createOpaqueId } from '@/lib/portal/base/opaque-id'
import { openBackupTarget, sealBackupTarget } from '@/lib/portal/custody/backup-target'
import { isPruned } from '@/lib/portal/subjects/backup-targets/address'
import { addBackupTarget, replaceBackupTargetKeys, testBackupTarget } from '@/lib/portal/subjects/backup-targets/change'
import { downloadKit } from '@/lib/portal/subjects/backup-targets/change-kit'
import { listTestServers } from '@/lib/portal/subjects/backup-targets/check-from-server'
import { listBackupTargets } from '@/lib/portal/subjects/backup-targets/list'
import { ensureRepository, openCopyFields, openPruneFields } from '@/lib/portal/subjects/backup-targets/repository'
import { listServers } from '@/lib/portal/subjects/servers/list'
import { inputOf } from '@/tests/support/own-input'
import { openPortalDatabase } from '@/tests/support/portal-database'
import { createTeam } from '@/tests/support/portal-team'
import { startUpstream } from '@/tests/support/upstream/upstream'

/** What a password field makes of a key file: one line. */
function privateKey(mark: string, cipher = 'none'): string {
  const length = Buffer.from([0, 0, 0, cipher.length])
  const body = Buffer.concat([Buffer.from('openssh-key-v1\0'), length, Buffer.from(cipher), Buffer.from(mark.padEnd(200, '.'))])
  return `-----BEGIN OPENSSH PRIVATE KEY-----${body.toString('base64')}-----END OPENSSH PRIVATE KEY-----`
}

const bodyOf = (key: string): string => key.split('-----')[2] ?? ''

const serverKey = privateKey('server-key')
const maintenanceKey = privateKey('maintenance-key')

const sftp = {
  kind: 'sftp',
  keeper: 'team',
  label: 'Storage',
  host: 'storage.example.org',
  port: '2222',
  user: 'copies',
  path: '/team',
  access: 'sftp',
  serverPrivateKey: serverKey,
  maintenancePrivateKey: maintenanceKey,
}

async function openScene({ own = false } = {}) {
  const database = await openPortalDatabase()
  const upstream = await startUpstream({ extensions: true })
  upstream.addServer({ name: 'web-01', state: 'ready' })
  const team = await createTeam()
  const owner = await team.join('owner')
  await team.connect(upstream, own ? { ownerId: owner.user.id } : {})
  const { servers } = await listServers(owner)
  const serverId = servers[0]?.id ?? ''
  return {
    team,
    owner,
    serverId,
    async [Symbol.asyncDispose]() {
      await upstream[Symbol.asyncDispose]()
      await database[Symbol.asyncDispose]()
    },
  }
}

type Scene = Awaited<ReturnType<typeof openScene>>

/** As the dialog does it: the second time with the host key that it showed. */
async function addSftp({ owner, serverId }: Pick<Scene, 'owner' | 'serverId'>, more: Record<string, string> = {}) {
  const given = { ...sftp, serverId, ...more }
  const shown = await addBackupTarget(inputOf(owner, given))
  if (!shown.ok || !shown.data.hostKey) return shown
  expect(await db().backupTarget.count()).toBe(0)
  return addBackupTarget(inputOf(owner, { ...given, hostKey: shown.data.hostKey.key }))
}

test('an SFTP target is added once its host key is confirmed; its keys are sealed and shown nowhere', async () => {
  await using scene = await openScene()
  const { owner } = scene
  expect(await listTestServers(owner)).toEqual([{ id: scene.serverId, name: 'web-01' }])
  const added = await addSftp(scene)
  expect(added).toMatchObject({
    ok: true,
    data: { label: 'Storage', findings: [expect.stringContaining('can delete'), expect.anything()] },
  })
  const target = await db().backupTarget.findFirstOrThrow()
  expect(await openBackupTarget(target)).toEqual({
    kind: 'sftp',
    server: { privateKey: bodyOf(serverKey) },
    maintenance: { privateKey: bodyOf(maintenanceKey) },
  })
  const [view] = await listBackupTargets(owner)
  expect(view).toMatchObject({ address: 'sftp://copies@storage.example.org:2222/team', more: expect.stringContaining('SHA256:') })
  const repository = await ensureRepository(target, { id: scene.serverId, name: 'web-01' })
  const fields = await openCopyFields(target, repository)
  expect(fields).toMatchObject({ kind: 'sftp', folder: `/team/${repository.id}`, private_key: bodyOf(serverKey) })
  expect(await openPruneFields(target, repository)).toEqual({ ...fields, private_key: bodyOf(maintenanceKey) })
  const rows = await db().auditRow.findMany()
  expect(rows.map(({ action }) => action)).toContain('copies.test')
  for (const key of [serverKey, maintenanceKey]) expect(JSON.stringify([rows, view, added])).not.toContain(bodyOf(key).slice(30, 80))

  const kit = await downloadKit(inputOf(owner, { targetId: target.id }))
  if (!kit.ok) throw new Error(kit.problem.sentence)
  const commands = kit.data.text.split('\n').filter((line) => line.startsWith('    '))
  expect(commands).toContain('    (umask 077; : >gatehouse-key)')
  expect(commands.join('\n')).toContain('-o StrictHostKeyChecking=yes')
  expect(commands).toContain(`    export RESTIC_REPOSITORY='sftp:target:/team/${repository.id}'`)
  const joined = kit.data.text.replace(/' >>gatehouse-key\n {4}echo '/g, '')
  expect(joined).toContain(bodyOf(serverKey))
  expect(joined).not.toContain(bodyOf(maintenanceKey))
})

test('by rclone a server adds and does not delete, so that nothing is found; its kit uses rclone too', async () => {
  await using scene = await openScene()
  expect(await addSftp(scene, { access: 'rclone' })).toMatchObject({ ok: true, data: { findings: [] } })
  const target = await db().backupTarget.findFirstOrThrow()
  const repository = await ensureRepository(target, { id: scene.serverId, name: 'web-01' })
  expect(await openCopyFields(target, repository)).toMatchObject({ access: 'rclone', private_key: bodyOf(serverKey) })
  const opened = await openPruneFields(target, repository)
  expect(opened).toMatchObject({ folder: `/team/${repository.id}`, private_key: bodyOf(maintenanceKey) })
  expect(opened).not.toHaveProperty('access')
  const kit = await downloadKit(inputOf(scene.owner, { targetId: target.id }))
  if (!kit.ok) throw new Error(kit.problem.sentence)
  expect(kit.data.text).toContain(`export RESTIC_REPOSITORY='rclone:${repository.id}'`)
  expect(kit.data.text).toContain('restic -o rclone.program="$GATEHOUSE_SSH"')
  expect(kit.data.text).not.toContain('-s sftp')
})

test('a target of before has no maintenance key: all its copies are kept until its keys are replaced', async () => {
  await using scene = await openScene()
  const { owner } = scene
  await addSftp(scene)
  const added = await db().backupTarget.findFirstOrThrow()
  const { access: _, ...before } = JSON.parse(added.address)
  const address = JSON.stringify(before)
  const identity = { ...added, address }
  const sealed = await sealBackupTarget(identity, { server: { privateKey: bodyOf(serverKey) } })
  const former = await db().backupTarget.update({ where: { id: added.id }, data: { address, ...sealed } })
  expect(isPruned(former)).toBe(false)
  expect(await listBackupTargets(owner)).toMatchObject([
    { access: 'sftp', folder: '/team', more: expect.stringContaining('no maintenance key') },
  ])
  expect(await testBackupTarget(inputOf(owner, { targetId: added.id, serverId: scene.serverId }))).toMatchObject({ data: { problem: '' } })
  const keys = { access: 'rclone', serverPrivateKey: serverKey, maintenancePrivateKey: maintenanceKey }
  const given = inputOf(owner, { targetId: added.id, serverId: scene.serverId, ...keys })
  expect(await replaceBackupTargetKeys(given)).toMatchObject({ ok: true, data: { findings: [] } })
  const target = await db().backupTarget.findFirstOrThrow()
  expect(isPruned(target)).toBe(true)
  expect(await openBackupTarget(target)).toMatchObject({ maintenance: { privateKey: bodyOf(maintenanceKey) } })
})

test('new keys of an SFTP target need no new confirmation while its host key is the same', async () => {
  await using scene = await openScene()
  await addSftp(scene)
  const { id: targetId } = await db().backupTarget.findFirstOrThrow()
  const keys = { serverPrivateKey: privateKey('newer'), maintenancePrivateKey: maintenanceKey }
  const given = inputOf(scene.owner, { targetId, serverId: scene.serverId, ...keys })
  expect(await replaceBackupTargetKeys(given)).toMatchObject({ ok: true, data: { label: 'Storage' } })
  expect(await openBackupTarget(await db().backupTarget.findFirstOrThrow())).toMatchObject({
    server: { privateKey: bodyOf(keys.serverPrivateKey) },
  })
})

test('another host key than the one that was confirmed has to be confirmed before new keys are sent', async () => {
  await using scene = await openScene()
  const former = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIFxsz9ekVhDnqayHvJ2EccB9+Clp65EG9NGKUCQGuH7S'
  expect(await addBackupTarget(inputOf(scene.owner, { ...sftp, serverId: scene.serverId, hostKey: former }))).toMatchObject({ ok: true })
  const { id: targetId } = await db().backupTarget.findFirstOrThrow()
  const given = { targetId, serverId: scene.serverId, serverPrivateKey: serverKey, maintenancePrivateKey: maintenanceKey }
  const shown = await replaceBackupTargetKeys(inputOf(scene.owner, given))
  expect(shown).toMatchObject({ ok: true, data: { hostKey: { fingerprint: expect.stringContaining('SHA256:') } } })
  expect(await db().backupTarget.findFirstOrThrow()).toMatchObject({ secretVersion: 1, address: expect.stringContaining(former) })
  const hostKey = (shown.ok && shown.data.hostKey?.key) || ''
  expect(await replaceBackupTargetKeys(inputOf(scene.owner, { ...given, hostKey }))).toMatchObject({ ok: true })
  expect(await db().backupTarget.findFirstOrThrow()).toMatchObject({ secretVersion: 2, address: expect.stringContaining(hostKey) })
})

test('a folder has no keys, and is tested again from a server', async () => {
  await using scene = await openScene()
  const given = { kind: 'folder', keeper: 'team', label: 'Disk', path: '/mnt/backups/', serverId: scene.serverId }
  expect(await addBackupTarget(inputOf(scene.owner, given))).toMatchObject({
    ok: true,
    data: { findings: [expect.stringContaining('Root')] },
  })
  const target = await db().backupTarget.findFirstOrThrow()
  expect(await listBackupTargets(scene.owner)).toMatchObject([{ kind: 'folder', address: '/mnt/backups', more: '' }])
  const tested = await testBackupTarget(inputOf(scene.owner, { targetId: target.id, serverId: scene.serverId }))
  expect(tested).toMatchObject({ ok: true, data: { problem: '' } })
  expect(await testBackupTarget(inputOf(scene.owner, { targetId: target.id }))).toMatchObject({
    problem: { fields: { serverId: expect.anything() } },
  })
  const repository = await ensureRepository(target, { id: createOpaqueId(), name: 'web-1' })
  const fields = { kind: 'folder', folder: `/mnt/backups/${repository.id}` }
  expect(await openCopyFields(target, repository)).toMatchObject(fields)
  // The server itself deletes there, and needs no more than the password.
  expect(await openPruneFields(target, repository)).toMatchObject(fields)
})

test.each([
  [{ host: '-oProxyCommand=id' }, 'host'],
  [{ port: '0' }, 'port'],
  [{ user: 'a b' }, 'user'],
  [{ path: '../x' }, 'path'],
  [{ serverPrivateKey: 'ssh-ed25519 AAAA' }, 'serverPrivateKey'],
  [{ serverPrivateKey: privateKey('locked', 'aes256-ctr') }, 'serverPrivateKey'],
  [{ maintenancePrivateKey: '' }, 'maintenancePrivateKey'],
  [{ maintenancePrivateKey: serverKey }, 'maintenancePrivateKey'],
  [{ kind: 'folder', path: 'mnt' }, 'path'],
  [{ kind: 'folder', path: '/' }, 'path'],
])('a form with %j is refused', async (wrong, field) => {
  await using scene = await openScene()
  const refused = await addSftp(scene, wrong)
  expect(refused).toMatchObject({ ok: false, problem: { fields: { [field]: expect.any(String) } } })
})

test('who may not keep targets, and members of another team, test none, and choose no server', async () => {
  await using scene = await openScene()
  const given = { ...sftp, serverId: scene.serverId }
  for (const role of ['guest', 'viewer'] as const) {
    const member = await scene.team.join(role)
    expect(await addBackupTarget(inputOf(member, given))).toMatchObject({ ok: false, problem: { code: 'forbidden' } })
    expect(await listTestServers(member)).toEqual([])
  }
  const stranger = await (await createTeam()).join('owner')
  expect(await addBackupTarget(inputOf(stranger, given))).toMatchObject({ ok: false, problem: { code: 'not_found' } })
  expect(await db().backupTarget.count()).toBe(0)
})

test('a server that only a connection of a member lists gets no key of the team', async () => {
  await using scene = await openScene({ own: true })
  expect(await addSftp(scene)).toMatchObject({
    ok: false,
    problem: { code: 'forbidden', sentence: expect.stringContaining('connection of a member') },
  })
  expect(await addSftp(scene, { keeper: 'own' })).toMatchObject({ ok: true })
})
