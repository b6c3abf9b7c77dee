/** An OpenSSH server on this machine that stores copies: the server key only adds, by rclone; the maintenance key has SFTP. */
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import path from 'node:path'
import { forcedCommand } from '@/lib/text/forced-command'
import { findFreePort } from './gatehouse-process'

export type SftpStorage = AsyncDisposable & {
  host: string
  port: string
  user: string
  /** Of all repositories. */
  folder: string
  /** Type and key. */
  hostKey: string
  /** As files of OpenSSH have them, without first and last line. */
  keys: Readonly<Record<'server' | 'maintenance', string>>
  /** What is in the folder of a repository, with paths from there. */
  files(repository: string): string[]
  /** As if the server went away in the middle; it still listens. */
  endSessions(): void
}

const bodyOf = (file: string): string => readFileSync(file, 'utf8').split('-----')[2]?.replace(/\s/g, '') ?? ''

/** host: the address where it listens. appendOnly: false for a line of the server key that lacks the option. */
export async function startSftpStorage({ host = '127.0.0.1', appendOnly = true } = {}): Promise<SftpStorage> {
  const home = mkdtempSync(path.join(tmpdir(), 'gatehouse-storage-'))
  const folder = path.join(home, 'team')
  mkdirSync(folder)
  for (const name of ['host', 'server', 'maintenance'])
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', path.join(home, name)])
  const publicKey = (name: string) =>
    readFileSync(path.join(home, `${name}.pub`), 'utf8')
      .trim()
      .split(' ')
      .slice(0, 2)
      .join(' ')
  const line = forcedCommand(folder)
  writeFileSync(
    path.join(home, 'authorized'),
    `${appendOnly ? line : line.replace(' --append-only', '')} ${publicKey('server')}\nrestrict,command="internal-sftp" ${publicKey('maintenance')}\n`,
  )
  const port = String(await findFreePort())
  mkdirSync('/run/sshd', { recursive: true })
  const options = {
    Port: port,
    ListenAddress: host,
    HostKey: path.join(home, 'host'),
    AuthorizedKeysFile: path.join(home, 'authorized'),
    StrictModes: 'no',
    UsePAM: 'no',
    PidFile: 'none',
    Subsystem: 'sftp internal-sftp',
  }
  const given = Object.entries(options).flatMap(([name, value]) => ['-o', `${name}=${value}`])
  const sshd = spawn('/usr/sbin/sshd', ['-D', '-e', '-f', '/dev/null', ...given], { stdio: ['ignore', 'ignore', 'pipe'] })
  const ended = new Promise((resolve) => sshd.once('close', resolve))
  await new Promise<void>((resolve, reject) => {
    let said = ''
    sshd.stderr.on('data', (text: Buffer) => {
      said += text.toString()
      if (said.includes('Server listening')) resolve()
    })
    sshd.once('close', () => reject(new Error(said)))
  })
  return {
    host,
    port,
    user: userInfo().username,
    folder,
    hostKey: publicKey('host'),
    keys: { server: bodyOf(path.join(home, 'server')), maintenance: bodyOf(path.join(home, 'maintenance')) },
    files: (repository) => readdirSync(path.join(folder, repository), { recursive: true, encoding: 'utf8' }),
    endSessions() {
      // Each session is a child of the process that listens.
      const children = readFileSync(`/proc/${sshd.pid}/task/${sshd.pid}/children`, 'utf8').split(' ').filter(Boolean)
      for (const pid of children) process.kill(Number(pid))
    },
    async [Symbol.asyncDispose]() {
      sshd.kill()
      await ended
      rmSync(home, { recursive: true, force: true })
    },
  }
}
