/** Deleting copies at an SFTP server with its maintenance key, where the key of servers, by rclone, only adds. */
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import type { SftpTarget } from '@/lib/service/machines/copy-target'
import { checkMaintenance } from '@/lib/service/restic/check-maintenance'
import { resticSentences } from '@/lib/service/restic/failure'
import { createPruner } from '@/lib/service/restic/prune'
import { getSettings } from '@/lib/settings/settings'
import { type SftpStorage, startSftpStorage } from '@/tests/support/sftp-target'

const run = promisify(execFile)

// The target is on this machine.
beforeAll(() => {
  Object.assign(getSettings(), { allowedPrivateUpstreams: ['127.0.0.0/8'] })
})

const password = 'p'.repeat(43)

const targetOf = (storage: SftpStorage, repository = 'one'): SftpTarget => ({
  kind: 'sftp',
  host: storage.host,
  port: storage.port,
  user: storage.user,
  access: 'sftp',
  hostKey: storage.hostKey,
  privateKey: storage.keys.maintenance,
  folder: `${storage.folder}/${repository}`,
  password,
  limitKb: '',
})

/** What a server runs, with the server key alone. */
function asServer(storage: SftpStorage, repository = 'one') {
  const there = mkdtempSync(path.join(tmpdir(), 'gatehouse-server-'))
  onTestFinished(() => rmSync(there, { recursive: true, force: true }))
  const lines = storage.keys.server.match(/.{1,70}/g) ?? []
  const key = ['-----BEGIN OPENSSH PRIVATE KEY-----', ...lines, '-----END OPENSSH PRIVATE KEY-----', ''].join('\n')
  writeFileSync(path.join(there, 'key'), key, { mode: 0o600 })
  writeFileSync(path.join(there, 'hosts'), `target ${storage.hostKey}\n`)
  const ssh = `ssh -F /dev/null -i ${there}/key -o UserKnownHostsFile=${there}/hosts -o HostKeyAlias=target -o BatchMode=yes -p ${storage.port} ${storage.user}@${storage.host}`
  const env = { ...process.env, RESTIC_PASSWORD: password, RESTIC_REPOSITORY: `rclone:${repository}` }
  const resticWithin = (timeout: number, ...command: string[]) =>
    run('/usr/bin/restic', ['--no-cache', '-o', `rclone.program=${ssh}`, ...command], { env, encoding: 'latin1', timeout })
  const restic = (...command: string[]) => resticWithin(120_000, ...command)
  return {
    restic,
    resticWithin,
    async copy(content: Buffer): Promise<string> {
      const file = path.join(there, 'archive.tar')
      writeFileSync(file, content)
      const { stdout } = await restic('--json', 'backup', file)
      return /"snapshot_id":"([0-9a-f]+)"/.exec(stdout)?.[1] ?? ''
    },
    async restore(snapshot: string): Promise<Buffer> {
      await restic('restore', snapshot, '--target', path.join(there, snapshot))
      return readFileSync(path.join(there, snapshot, there, 'archive.tar'))
    },
  }
}

const snapshotsIn = (storage: SftpStorage, repository = 'one') =>
  storage.files(repository).filter((name) => name.startsWith('snapshots/')).length

const sentenceOf = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: unknown) => (error as { problem?: { sentence: string } }).problem?.sentence ?? String(error),
  )

test('a server adds by rclone and deletes nothing; the maintenance key deletes what is named, and another server keeps all', async () => {
  await using storage = await startSftpStorage()
  const [server, other] = [asServer(storage), asServer(storage, 'two')]
  await server.restic('init')
  await other.restic('init')
  const shared = randomBytes(1_000_000)
  const contents = [1, 2].map(() => Buffer.concat([shared, randomBytes(500_000)]))
  const ids: string[] = []
  for (const content of contents) ids.push(await server.copy(content))
  const foreign = await other.copy(shared)
  const before = storage.files('two')
  // restic repeats what is refused for long.
  expect(await sentenceOf(server.resticWithin(25_000, 'forget', ids[0] ?? ''))).toContain('403')
  expect(snapshotsIn(storage)).toBe(2)

  // A lock of the one that was ended; nobody holds it after an hour.
  const later = createPruner({ now: () => Date.now() + 2 * 3_600_000 })
  expect(await later.prune(targetOf(storage), [ids[0] ?? ''])).toBe(1)
  expect(snapshotsIn(storage)).toBe(1)
  expect(storage.files('one').filter((name) => name.startsWith('locks/'))).toEqual([])
  expect((await server.restore(ids[1] ?? '')).equals(contents[1] ?? Buffer.alloc(0))).toBe(true)
  expect(storage.files('two')).toEqual(before)
  expect((await other.restore(foreign)).equals(shared)).toBe(true)
  expect(await createPruner().prune(targetOf(storage), [ids[0] ?? ''])).toBe(0)
})

test('each cause has a sentence, and what was not confirmed gets no login', async () => {
  await using storage = await startSftpStorage()
  await asServer(storage).restic('init')
  const target = targetOf(storage)
  const foreign = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIFxsz9ekVhDnqayHvJ2EccB9+Clp65EG9NGKUCQGuH7S'
  const cases: [Partial<SftpTarget>, keyof typeof resticSentences][] = [
    [{ hostKey: foreign }, 'host_key'],
    [{ user: 'nobody-here' }, 'refused_key'],
    [{ port: '9' }, 'unreachable'],
    [{ host: '10.0.0.1' }, 'address'],
    [{ host: 'no-such-host.invalid' }, 'unreachable'],
    [{ password: 'x'.repeat(43) }, 'password'],
    [{ folder: `${storage.folder}/none` }, 'missing'],
  ]
  for (const [change, why] of cases) {
    const said = await sentenceOf(createPruner().prune({ ...target, ...change }, ['a'.repeat(64)]))
    expect({ change, said }).toEqual({ change, said: resticSentences[why] })
  }
  // A name is resolved once, and the address that was checked is the one that is used.
  const asked: string[] = []
  const resolve = async (host: string) => {
    asked.push(host)
    return ['127.0.0.1']
  }
  expect(await createPruner({ resolve }).prune({ ...target, host: 'Storage.invalid' }, ['a'.repeat(64)])).toBe(0)
  expect(asked).toEqual(['storage.invalid'])
})

test('a target that ends the session ends the deletion', async () => {
  await using storage = await startSftpStorage()
  const server = asServer(storage)
  await server.restic('init')
  const id = await server.copy(randomBytes(100_000))
  const pruner = createPruner()
  const said = sentenceOf(pruner.prune(targetOf(storage), [id]))
  await expect.poll(() => storage.files('one').filter((name) => name.startsWith('locks/')).length, { timeout: 30_000, interval: 5 }).toBe(1)
  storage.endSessions()
  expect(await said).toBe(resticSentences.unreachable)
})

test('the maintenance key is tested where copies are deleted, and removes what the test of a server left', async () => {
  await using storage = await startSftpStorage()
  await asServer(storage, 'gatehouse-test-1').restic('init')
  const target = { ...targetOf(storage), folder: storage.folder }
  expect(await checkMaintenance(target, `${storage.folder}/gatehouse-test-1`)).toBe('passed')
  expect(storage.files('.')).toEqual([])
  // The key of servers has no SFTP.
  expect(await checkMaintenance({ ...target, privateKey: storage.keys.server }, null)).not.toBe('passed')
  expect(await checkMaintenance({ ...target, folder: `${storage.folder}/none` }, null)).toBe('missing')
  expect(await checkMaintenance({ ...target, user: 'nobody-here' }, null)).toBe('key')
  expect(await checkMaintenance({ ...target, host: '10.0.0.1' }, null)).toBe('address')
})
