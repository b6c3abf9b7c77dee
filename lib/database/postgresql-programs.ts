/** Runs PostgreSQL's own programs. What they need to know of a database is in their environment, so that no command line has a password. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import type pg from 'pg'
import type { PostgresqlAddress } from '@/lib/settings/database'
import { programEnvironment } from '@/lib/settings/settings'
import { DatabaseError } from './database-error'
import { describeAddress } from './postgresql'
import { withSession } from './postgresql-session'

type ProgramName = 'pg_dump' | 'pg_restore' | 'psql'

/** Where Debian has the authorities of the system. */
const systemAuthorities = '/etc/ssl/certs/ca-certificates.crt'

/** libpq's variables for the database; never from files that other programs use. */
function variablesOf({ host, port, user, database, passwordFile, tls }: PostgresqlAddress): Record<string, string> {
  return {
    PGHOST: host,
    PGPORT: String(port),
    PGUSER: user,
    PGDATABASE: database,
    PGAPPNAME: 'gatehouse',
    PGCONNECT_TIMEOUT: '10',
    PGPASSFILE: '/nonexistent',
    PGGSSENCMODE: 'disable',
    PGSSLMODE: tls === null ? 'disable' : 'verify-full',
    ...(passwordFile !== null && { PGPASSWORD: readFileSync(passwordFile, 'utf8').trim() }),
    ...(tls !== null && { PGSSLROOTCERT: tls.authorities ?? systemAuthorities }),
  }
}

export type RunningProgram = Pick<ChildProcessWithoutNullStreams, 'stdin' | 'stdout'> & {
  /** Rejects with DatabaseError if it fails. */
  ended: Promise<void>
}

/** address: null for a program that reads a file only. about: whose file or database it is, for messages. */
export function startProgram(
  name: ProgramName,
  args: readonly string[],
  { address, about, signal }: { address: PostgresqlAddress | null; about: string; signal?: AbortSignal },
): RunningProgram {
  const env = { ...programEnvironment(), LC_ALL: 'C', ...(address && variablesOf(address)) } as unknown as NodeJS.ProcessEnv
  const child = spawn(name, args, { env, cwd: '/', signal, stdio: ['pipe', 'pipe', 'pipe'] })
  const end = () => child.kill('SIGKILL')
  process.once('exit', end)
  // It may end without reading all of it; its exit code says why.
  child.stdin.on('error', () => undefined)
  const printed = text(child.stderr)
  const ended = new Promise<void>((resolve, reject) => {
    child.once('error', (cause: NodeJS.ErrnoException) => reject(cause.code === 'ENOENT' ? missing(name) : cause))
    child.once('close', async (code) => {
      const why = lastLine(await printed)
      if (code === 0) resolve()
      else reject(new DatabaseError(`${name} failed on ${about}${why === '' ? '.' : `: ${why}`}`))
    })
  }).finally(() => process.off('exit', end))
  ended.catch(() => undefined)
  return { stdin: child.stdin, stdout: child.stdout, ended }
}

/** Runs it to its end; resolves with what it printed on standard output. Rejects with DatabaseError. */
export async function runProgram(...how: Parameters<typeof startProgram>): Promise<string> {
  const { stdin, stdout, ended } = startProgram(...how)
  stdin.end()
  const [printed] = await Promise.all([text(stdout), ended])
  return printed
}

/** The first error, without the program's name: the next ones follow from it. */
function lastLine(printed: string): string {
  const lines = printed.trim().split('\n')
  const error = lines.find((line) => /\b(error|ERROR|FATAL):/.test(line)) ?? lines.at(-1) ?? ''
  return error.replace(/^\w+: (error: )?/, '')
}

const missing = (name: string, major?: number) =>
  new DatabaseError(`${name} is not installed. On Debian: apt install postgresql-client${major === undefined ? '' : `-${major}`}.`)

/** Rejects with DatabaseError, which says what to install, unless the programs are here and as new as the server. */
export function requirePrograms(address: PostgresqlAddress): Promise<void> {
  return withSession(address, async (session) => {
    const server = await readServerMajor(session)
    const own = await findOwnMajor(server)
    if (own >= server) return
    throw new DatabaseError(
      `The server of ${describeAddress(address)} is PostgreSQL ${server}, and pg_dump here is ${own}. Install one as new as the server: on Debian, apt install postgresql-client-${server}.`,
    )
  })
}

async function readServerMajor(session: pg.Client): Promise<number> {
  const { rows } = await session.query<{ version: string }>("SELECT current_setting('server_version_num') AS version")
  return Math.floor(Number(rows[0]?.version) / 10_000)
}

async function findOwnMajor(server: number): Promise<number> {
  const versions: number[] = []
  for (const name of ['pg_dump', 'pg_restore', 'psql'] as const) {
    const printed = await runProgram(name, ['--version'], { address: null, about: 'its version' }).catch((error: unknown) => {
      throw error instanceof DatabaseError && error.message.includes('not installed') ? missing(name, server) : error
    })
    versions.push(Number(/\) (\d+)/.exec(printed)?.[1]))
  }
  return Math.min(...versions)
}
