/** Copies a database on PostgreSQL to a file and back: pg_dump's custom format, which pg_restore reads. */
import { closeSync, openSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Readable } from 'node:stream'
import type pg from 'pg'
import type { PostgresqlAddress } from '@/lib/settings/database'
import { DatabaseError } from './database-error'
import { requireRoom } from './dump-room'
import { describeAddress } from './postgresql'
import { requirePrograms, runProgram, startProgram } from './postgresql-programs'
import { withSession } from './postgresql-session'

/**
 * Writes the file, readable only by its owner, as the database is at one moment; readers and writers continue meanwhile. It has a temporary name until it is
 * complete and pg_restore can read it. Rejects with DatabaseError, before it begins if the disk has no room for it; nothing is left then.
 */
export async function dumpDatabase(address: PostgresqlAddress, file: string, { signal }: { signal?: AbortSignal } = {}): Promise<void> {
  await requirePrograms(address)
  await requireRoom(address, dirname(file))
  const unfinished = `${file}.unfinished`
  rmSync(unfinished, { force: true })
  try {
    // pg_dump writes to the file that is there, and so leaves its access.
    closeSync(openSync(unfinished, 'wx', 0o600))
    const about = `the database ${describeAddress(address)}`
    await runProgram('pg_dump', ['--format=custom', `--file=${unfinished}`], { address, about, ...(signal && { signal }) })
    await requireReadable(unfinished)
    renameSync(unfinished, file)
  } catch (error) {
    rmSync(unfinished, { force: true })
    throw error
  }
}

/** Rejects with DatabaseError unless pg_restore can read the whole file. */
async function requireReadable(file: string): Promise<void> {
  const { stdin, stdout, ended } = startProgram('pg_restore', ['--file=-', file], { address: null, about: file })
  stdin.end()
  stdout.resume()
  await ended
}

/** Restores the file into an empty database, all of it or nothing, as the user of the address. Rejects with DatabaseError. */
export async function restoreDump(file: string, address: PostgresqlAddress): Promise<void> {
  await requirePrograms(address)
  await requireEmpty(address)
  const args = [
    '--exit-on-error',
    '--single-transaction',
    '--no-owner',
    '--no-privileges',
    '--no-comments',
    `--dbname=${inConninfo(address)}`,
    file,
  ]
  await runProgram('pg_restore', args, { address, about: `the database ${describeAddress(address)}` })
}

/** pg_restore connects only where the command line names a database, which may look like several parameters. */
const inConninfo = ({ database }: PostgresqlAddress): string => `dbname='${database.replace(/[\\']/g, '\\$&')}'`

/** Rejects with DatabaseError if the database has tables. */
export const requireEmpty = (address: PostgresqlAddress): Promise<void> =>
  withSession(address, async (session) => {
    if ((await listTables(session)).length === 0) return
    throw new DatabaseError(`The database ${describeAddress(address)} is not empty. Name an empty one: a restore never replaces data.`)
  })

/** For WHERE: what an administrator's extension made, such as pg_stat_statements, stays. */
const ofNoExtension = (catalog: 'pg_class' | 'pg_proc' | 'pg_type'): string =>
  `NOT EXISTS (SELECT FROM pg_depend WHERE classid = '${catalog}'::regclass AND objid = ${catalog}.oid AND deptype = 'e')`

async function listTables(session: pg.Client): Promise<string[]> {
  const { rows } = await session.query<{ name: string }>(
    `SELECT oid::regclass::text AS name FROM pg_class WHERE relkind IN ('r', 'p', 'v', 'm', 'f', 'S') AND relnamespace::regnamespace::text !~ '^(pg_|information_schema)' AND ${ofNoExtension('pg_class')}`,
  )
  return rows.map(({ name }) => name)
}

/** Drops every table, function and enum of the schema "public". */
const dropAll = `DO $$
DECLARE each record;
BEGIN
  FOR each IN SELECT oid::regclass AS name FROM pg_class WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace AND ${ofNoExtension('pg_class')} LOOP
    EXECUTE format('DROP TABLE %s CASCADE', each.name);
  END LOOP;
  FOR each IN SELECT oid::regprocedure AS name FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND ${ofNoExtension('pg_proc')} LOOP
    EXECUTE format('DROP FUNCTION %s', each.name);
  END LOOP;
  FOR each IN SELECT oid::regtype AS name FROM pg_type WHERE typtype = 'e' AND typnamespace = 'public'::regnamespace AND ${ofNoExtension('pg_type')} LOOP
    EXECUTE format('DROP TYPE %s', each.name);
  END LOOP;
END $$;
`

/** Removes everything that a restore or a start put there. Rejects with DatabaseError. */
export const emptyDatabase = (address: PostgresqlAddress): Promise<void> =>
  withSession(address, async (session) => {
    await session.query(dropAll)
  })

/** How long whoever still uses the database may keep it from being replaced. */
const lockTimeout = '10s'

/**
 * Puts the file's content in place of everything in the database, in one transaction; rights that roles had on tables are as in the file. Nobody else may use
 * the database. Rejects with DatabaseError; the database is then unchanged.
 */
export async function replaceByDump(file: string, address: PostgresqlAddress): Promise<void> {
  await requirePrograms(address)
  const about = `the database ${describeAddress(address)}`
  const reading = startProgram('pg_restore', ['--no-owner', '--no-comments', '--file=-', file], { address: null, about: file })
  reading.stdin.end()
  const writing = startProgram('psql', ['--no-psqlrc', '--quiet', '--set=ON_ERROR_STOP=1', '--file=-'], { address, about })
  writing.stdout.resume()
  writing.stdin.write(`BEGIN;\nSET LOCAL lock_timeout = '${lockTimeout}';\n${dropAll}`)
  reading.stdout.pipe(writing.stdin, { end: false })
  const read = await Promise.race([reading.ended.then(() => null), writing.ended.then(() => null)]).catch((error: unknown) => error)
  // Without a COMMIT, PostgreSQL rolls back when psql ends.
  writing.stdin.end(read === null ? 'COMMIT;\n' : '')
  reading.stdout.resume()
  await writing.ended
  await reading.ended
}

export type DumpedRow = Record<string, string | null>

/** The rows of one table in the file, with PostgreSQL's texts of their values; none if the file has no such table. Rejects with DatabaseError. */
export async function* readDumpedRows(file: string, table: string): AsyncGenerator<DumpedRow> {
  const reading = startProgram('pg_restore', ['--data-only', `--table=${table}`, '--file=-', file], { address: null, about: file })
  reading.stdin.end()
  let columns: string[] | null = null
  for await (const line of linesOf(reading.stdout)) {
    if (line === '\\.') columns = null
    else if (columns !== null) yield parseRow(columns, line)
    else columns = parseColumns(line)
  }
  await reading.ended
}

/** Ends lines at line feeds alone: node:readline also does at U+2028, which a text may have. */
async function* linesOf(stream: Readable): AsyncGenerator<string> {
  let rest = ''
  for await (const chunk of stream.setEncoding('utf8')) {
    const lines = `${rest}${chunk}`.split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest !== '') yield rest
}

/** Of the line that begins a table: COPY public."KeyRing" (id, "createdAt") FROM stdin; */
function parseColumns(line: string): string[] | null {
  const [, list] = /^COPY .* \((.*)\) FROM stdin;$/.exec(line) ?? []
  return list?.split(', ').map((name) => name.replace(/^"|"$/g, '')) ?? null
}

const escaped: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' }

const parseRow = (columns: readonly string[], line: string): DumpedRow => {
  const values = line
    .split('\t')
    .map((value) => (value === '\\N' ? null : value.replace(/\\(.)/g, (_, letter) => escaped[letter] ?? letter)))
  return Object.fromEntries(columns.map((name, place) => [name, values[place] ?? null]))
}
