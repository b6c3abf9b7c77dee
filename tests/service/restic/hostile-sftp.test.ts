/** SFTP servers that let Gatehouse in and then lie or stall: they hold up no work but their own, and fill no memory. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { Duplex } from 'node:stream'
import ssh2, { type ServerConnectionListener, type Session } from 'ssh2'
import { beforeAll, expect, test } from 'vitest'
import type { SftpTarget } from '@/lib/service/machines/copy-target'
import { checkMaintenance } from '@/lib/service/restic/check-maintenance'
import { createPruner } from '@/lib/service/restic/prune'
import { runRestic } from '@/lib/service/restic/run'
import { createOwnKey } from '@/lib/service/ssh/private-key'
import { getSettings } from '@/lib/settings/settings'

// The target is on this machine.
beforeAll(() => {
  Object.assign(getSettings(), { allowedPrivateUpstreams: ['127.0.0.0/8'] })
})

/** begin: what it does when a session is asked for, once anybody has signed in. */
async function startHostile(begin: (accept: () => Session) => void): Promise<AsyncDisposable & { target: SftpTarget }> {
  const key = createOwnKey()
  const clients = new Set<{ end(): unknown }>()
  const accept: ServerConnectionListener = (client) => {
    clients.add(client)
    client.on('error', () => undefined)
    client.on('authentication', (login) => login.accept())
    client.on('session', begin)
  }
  const server = new ssh2.Server({ hostKeys: [key.privateKey] }, accept)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const target: SftpTarget = {
    kind: 'sftp',
    host: '127.0.0.1',
    port: String((server.address() as AddressInfo).port),
    user: 'fleet',
    access: 'sftp',
    hostKey: key.publicKey.split(' ').slice(0, 2).join(' '),
    privateKey: key.privateKey.split('-----')[2]?.replace(/\s/g, '') ?? '',
    folder: 'team/one',
    password: 'p'.repeat(43),
    limitKb: '',
  }
  return {
    target,
    async [Symbol.asyncDispose]() {
      for (const client of clients) client.end()
      await new Promise((closed) => server.close(closed))
    },
  }
}

test('a target that never opens the session does not keep the service from ending', async () => {
  let asked = 0
  await using storage = await startHostile(() => {
    asked += 1
  })
  const pruner = createPruner()
  const pruned = pruner.prune(storage.target, ['a'.repeat(64)]).catch((error: unknown) => error)
  await expect.poll(() => asked, { timeout: 10_000 }).toBe(1)
  await pruner.stop()
  expect(await pruned).toMatchObject({ problem: { code: 'outcome_unknown' } })
}, 20_000)

test('a target that takes nothing any more does not keep restic from ending', async () => {
  let taken = 0
  const channel = new Duplex({
    highWaterMark: 1024,
    read: () => undefined,
    // The first piece, and never the next.
    write: () => {
      taken += 1
    },
  })
  const options = ['-o', "sftp.command=sh -c 'cat /dev/zero >&3'"]
  const storage = {
    repository: 'sftp:target:one',
    options,
    environment: {},
    channel: async () => channel,
    [Symbol.asyncDispose]: async () => undefined,
  }
  const stopping = new AbortController()
  const ended = runRestic({ storage, password: 'p', command: ['list', 'locks', '--no-lock'], signal: stopping.signal }).catch(String)
  await expect.poll(() => taken, { timeout: 10_000 }).toBe(1)
  stopping.abort('stopped')
  expect(await ended).toBe('stopped')
}, 30_000)

test('a target that answers nothing any more ends the work on it', async () => {
  const channel = new Duplex({ read: () => undefined, write: (_piece, _encoding, done) => done() })
  const options = ['-o', "sftp.command=sh -c 'cat <&3 & cat >&3; kill $!'"]
  const storage = {
    repository: 'sftp:target:one',
    options,
    environment: {},
    channel: async () => channel,
    [Symbol.asyncDispose]: async () => undefined,
  }
  const command = ['list', 'locks', '--no-lock']
  const ended = runRestic({ storage, password: 'p', command, signal: new AbortController().signal, silentMs: 3000 }).catch(
    (error: unknown) => error,
  )
  expect(await ended).toMatchObject({ why: 'unreachable' })
}, 30_000)

test('a folder without end is read only in part', async () => {
  let asked = 0
  await using storage = await startHostile((accept) => {
    accept().on('sftp', (open) => {
      const sftp = open()
      const done = (id: number) => sftp.status(id, 0)
      const handle = (id: number) => sftp.handle(id, Buffer.from('one'))
      sftp.on('MKDIR', done).on('WRITE', done).on('CLOSE', done).on('REMOVE', done).on('RMDIR', done)
      sftp.on('OPEN', handle).on('OPENDIR', handle)
      sftp.on('FSETSTAT', done)
      sftp.on('READ', (id) => sftp.data(id, Buffer.alloc(64)))
      sftp.on('READDIR', (id) => {
        asked += 1
        const attrs = { mode: 0o100644, uid: 0, gid: 0, size: 0, atime: 0, mtime: 0 }
        sftp.name(
          id,
          Array.from({ length: 100 }, (_, index) => ({ filename: `${asked}-${index}`, longname: '', attrs })),
        )
      })
    })
  })
  expect(await checkMaintenance(storage.target, null)).toBe('altered')
  expect(asked).toBe(20)
}, 40_000)
