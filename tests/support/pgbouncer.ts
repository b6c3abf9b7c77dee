/** PgBouncer in transaction mode in front of the tests' PostgreSQL: each transaction may be in another connection than the one before. */
import { spawn } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { PostgresqlAddress } from '@/lib/settings/database'

const program = '/usr/sbin/pgbouncer'

/** Why tests cannot have PgBouncer here; undefined if they can. */
export const pgbouncerMissing: string | undefined = existsSync(program) ? undefined : 'PgBouncer is not installed'

const port = 6432

export type TestPooler = AsyncDisposable & {
  /** The same database through the pooler. */
  through(address: PostgresqlAddress): PostgresqlAddress
}

/** server: an address of the cluster. users: who may use it. It has few connections to the server, so that they change hands. */
export async function openPgbouncer({ host, port: serverPort }: PostgresqlAddress, users: readonly string[]): Promise<TestPooler> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-pgbouncer-'))
  const file = (name: string, lines: readonly string[]) => {
    writeFileSync(join(folder, name), `${lines.join('\n')}\n`)
    return join(folder, name)
  }
  const userList = file(
    'users',
    users.map((user) => `"${user}" ""`),
  )
  const settings = file('pgbouncer.ini', [
    '[databases]',
    `* = host=${host} port=${serverPort}`,
    '[pgbouncer]',
    `unix_socket_dir = ${folder}`,
    `listen_port = ${port}`,
    'auth_type = trust',
    `auth_file = ${userList}`,
    'pool_mode = transaction',
    'default_pool_size = 4',
    'max_client_conn = 200',
  ])
  chmodSync(folder, 0o755)
  // It refuses to run as root.
  const unprivileged = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
  if (unprivileged.uid !== undefined) chownSync(folder, unprivileged.uid, unprivileged.gid)
  const child = spawn(program, [settings], { ...unprivileged, cwd: '/', stdio: ['ignore', 'ignore', 'pipe'] })
  let printed = ''
  child.stderr.on('data', (chunk) => (printed += chunk))
  const ended = new Promise((resolve) => child.once('close', resolve))
  while (!existsSync(join(folder, `.s.PGSQL.${port}`))) {
    if (child.exitCode !== null) throw new Error(`PgBouncer ended: ${printed}`)
    await delay(20)
  }
  return {
    through: (address) => ({ ...address, host: folder, port }),
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
