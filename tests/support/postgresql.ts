/** The tests' own PostgreSQL: a cluster in a temporary folder, reached by a socket there, started when the first test of a run needs it. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { connectionOptions } from '@/lib/database/postgresql'
import { preparePostgresql } from '@/lib/database/postgresql-prepare'
import type { SchemaName } from '@/lib/database/schema-engine'
import type { PostgresqlAddress } from '@/lib/settings/database'
import { runFolder, runProcessFile } from './database-templates'

const versions = '/usr/lib/postgresql'

/** Where Debian puts the programs of the newest version that is installed; undefined without any. */
const programs = (): string | undefined =>
  existsSync(versions)
    ? readdirSync(versions)
        .sort((one, other) => Number(other) - Number(one))
        .map((version) => join(versions, version, 'bin'))
        .find((folder) => existsSync(join(folder, 'initdb')))
    : undefined

/** Why tests cannot have PostgreSQL here; undefined if they can. `npm test` names the reason in its last lines. */
export const postgresqlMissing: string | undefined = programs() === undefined ? 'PostgreSQL is not installed' : undefined

const superuser = 'postgres'

/** PostgreSQL refuses to run as root. */
const unprivileged = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

function run(program: string, args: readonly string[]): void {
  const { status, stderr, stdout } = spawnSync(join(programs() ?? '', program), args, {
    ...unprivileged,
    encoding: 'utf8',
    cwd: '/',
    env: { ...process.env, LC_ALL: 'C' },
  })
  if (status !== 0) throw new Error(`${program} failed:\n${stderr}${stdout}`)
}

/** Nothing here has to survive a power cut. */
const settings = {
  listen_addresses: "''",
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  max_connections: '300',
  shared_buffers: "'64MB'",
  logging_collector: 'off',
}

const prefix = 'gatehouse-pg-'

/** The file in a cluster's folder with the id of the process that it is for. */
const ownerFile = (folder: string): string => join(folder, 'for-process')

/** A run that was killed leaves its cluster running. */
function stopForsaken(): void {
  const folders = readdirSync(tmpdir()).filter((name) => name.startsWith(prefix))
  for (const folder of folders.map((name) => join(tmpdir(), name))) {
    const file = ownerFile(folder)
    if (existsSync(file) && !existsSync(`/proc/${readFileSync(file, 'utf8')}`)) stopPostgresql(folder)
  }
}

function start(owner: string, more: Readonly<Record<string, string>> = {}): string {
  stopForsaken()
  const folder = mkdtempSync(join(tmpdir(), prefix))
  if (unprivileged.uid !== undefined) chownSync(folder, unprivileged.uid, unprivileged.gid)
  const data = join(folder, 'data')
  run('initdb', ['-D', data, '-U', superuser, '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8', '--no-sync'])
  const lines = { ...settings, unix_socket_directories: `'${folder}'`, ...more }
  const text = Object.entries(lines).map(([name, value]) => `${name} = ${value}\n`)
  writeFileSync(join(data, 'postgresql.conf'), text.join(''), { flag: 'a' })
  run('pg_ctl', ['-D', data, '-w', '-t', '60', '-l', join(folder, 'log'), 'start'])
  writeFileSync(ownerFile(folder), owner)
  return folder
}

/** Ends the cluster in a folder and removes it. */
export function stopPostgresql(folder: string): void {
  const data = join(folder, 'data')
  if (existsSync(join(data, 'postmaster.pid'))) run('pg_ctl', ['-D', data, '-w', '-m', 'immediate', 'stop'])
  rmSync(folder, { recursive: true, force: true })
}

/** The file in the run's folder that names the cluster's folder. */
export const clusterFile = (folder: string): string => join(folder, 'postgresql')

/** The workers of a run share one cluster: the first that asks starts it. Outside vitest this process has its own. */
async function findCluster(): Promise<string> {
  const shared = runFolder()
  if (shared === undefined) {
    const folder = start(String(process.pid))
    process.once('exit', () => stopPostgresql(folder))
    await makeTemplates(folder)
    return folder
  }
  const file = clusterFile(shared)
  try {
    mkdirSync(`${file}.starting`)
    try {
      const folder = start(readFileSync(runProcessFile(shared), 'utf8'))
      await makeTemplates(folder)
      writeFileSync(file, folder)
    } catch (error) {
      writeFileSync(file, '')
      throw error
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  while (!existsSync(file) || (readFileSync(file, 'utf8') === '' && (await delay(50, true)))) await delay(50)
  return readFileSync(file, 'utf8')
}

let cluster: Promise<string> | undefined
const findOnce = () => {
  cluster ??= findCluster()
  return cluster
}

const addressIn = (folder: string, database: string, user = superuser): PostgresqlAddress => ({
  host: folder,
  port: 5432,
  user,
  database,
  passwordFile: null,
  tls: null,
})

/** As DATABASE_URL has it. */
export const addressText = ({ host, port, user, database }: PostgresqlAddress): string =>
  `postgresql://${encodeURIComponent(user)}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`

/** Runs statements in a connection of their own. */
export async function askPostgresql(address: PostgresqlAddress, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(connectionOptions(address))
  await client.connect()
  try {
    return (await client.query(sql)).rows ?? []
  } finally {
    await client.end()
  }
}

/** Everything that a database holds, as a thief of a backup has it: the statements of pg_dump, and each stored blob as it is. */
export function dumpPostgresql({ host, database }: PostgresqlAddress): Buffer {
  const { status, stdout, stderr } = spawnSync(join(programs() ?? '', 'pg_dump'), ['-h', host, '-U', superuser, '--inserts', database], {
    maxBuffer: 1e9,
  })
  if (status !== 0) throw new Error(`pg_dump failed: ${stderr}`)
  const blobs = [...stdout.toString('latin1').matchAll(/'\\x([0-9a-f]+)'/g)].map(([, hex = '']) => Buffer.from(hex, 'hex'))
  return Buffer.concat([stdout, ...blobs])
}

/** A migrated, empty database of each half, which the others are copies of. */
async function makeTemplates(folder: string): Promise<void> {
  for (const schema of ['portal', 'service'] as const) {
    await askPostgresql(addressIn(folder, 'postgres'), `CREATE DATABASE "template-${schema}"`)
    await preparePostgresql({ address: addressIn(folder, `template-${schema}`), schema })
  }
}

export type TestPostgresql = AsyncDisposable & {
  address: PostgresqlAddress
  /** The same for another user of the database. */
  as(user: string): PostgresqlAddress
  /** Runs statements beside everything else. */
  ask(sql: string): Promise<Record<string, unknown>[]>
}

let count = 0

/** A database of a test's own: migrated for a half, or without any table. It is dropped with everything that uses it. */
export async function openPostgresql(schema: SchemaName | 'empty', { locale = '' } = {}): Promise<TestPostgresql> {
  const folder = await findOnce()
  count += 1
  const name = `test-${process.pid}-${count}`
  const template = schema === 'empty' ? `template0 ${locale}` : `"template-${schema}"`
  await askPostgresql(addressIn(folder, 'postgres'), `CREATE DATABASE "${name}" TEMPLATE ${template}`)
  const address = addressIn(folder, name)
  return {
    address,
    as: (user) => addressIn(folder, name, user),
    ask: (sql) => askPostgresql(address, sql),
    [Symbol.asyncDispose]: async () => {
      await askPostgresql(addressIn(folder, 'postgres'), `DROP DATABASE "${name}" WITH (FORCE)`)
    },
  }
}

export type OwnCluster = TestPostgresql & {
  /** Ends it in order, or as a crash does, and starts it again. Commits survive both. */
  restart(how: 'fast' | 'immediate'): Promise<void>
}

/** A cluster with one database for a test alone, migrated for the portal, which can be restarted. */
export async function openOwnCluster(): Promise<OwnCluster> {
  const folder = start(String(process.pid), { synchronous_commit: 'on' })
  await makeTemplates(folder)
  const address = addressIn(folder, 'template-portal')
  return {
    address,
    as: (user) => addressIn(folder, 'template-portal', user),
    ask: (sql) => askPostgresql(address, sql),
    restart: async (how) => {
      const args = ['-D', join(folder, 'data'), '-w', '-t', '60', '-l', join(folder, 'log'), '-m', how, 'restart']
      // This process does other things meanwhile.
      const child = spawn(join(programs() ?? '', 'pg_ctl'), args, { ...unprivileged, cwd: '/', stdio: 'ignore' })
      const [code] = await once(child, 'close')
      if (code !== 0) throw new Error(`PostgreSQL did not restart: ${readFileSync(join(folder, 'log'), 'utf8').slice(-2_000)}`)
    },
    [Symbol.asyncDispose]: async () => stopPostgresql(folder),
  }
}
