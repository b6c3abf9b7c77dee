/** The restore drill: decrypts archives into a temporary folder, restores them there, checks everything, and removes it. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { openConnection } from '@/lib/database/connection'
import { emptyDatabase, requireEmpty } from '@/lib/database/dump'
import { withSession } from '@/lib/database/postgresql-session'
import { preparePlace } from '@/lib/database/prepare-place'
import type { ProgramName } from '@/lib/programs.mjs'
import type { PostgresqlAddress } from '@/lib/settings/database'
import { parseSettings, programEnvironment, type Settings } from '@/lib/settings/settings'
import { BackupError } from '../layout'
import { restore } from '../restore'
import { type Half, listArchives } from './archive-name'
import { requireArchiveName, unpackArchive } from './unpack'

const halves: readonly Half[] = ['portal', 'service']

/** The newest archive of each half in the folder. Throws BackupError if there is none. */
export async function findNewestArchives(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => {
    throw new BackupError(`The folder ${folder} cannot be read.`)
  })
  const newest = halves.flatMap((half) => listArchives(names, half).slice(0, 1)).map(({ name }) => join(folder, name))
  if (newest.length === 0) throw new BackupError(`There is no backup in ${folder}.`)
  return newest
}

/** The halves that none of the archives is of: with two units each has its own folder, otherwise one is not backed up. */
export const findMissingHalves = (files: readonly string[]): Half[] =>
  halves.filter((half) => !files.some((file) => requireArchiveName(file).half === half))

/** As the settings have it: DATABASE_URL and DATABASE_PASSWORD_FILE. */
export type TrialDatabase = { url: string; passwordFile: string | null }

export type VerifyOptions = {
  identity: string
  /** An existing folder of mode 0700; the caller removes it. */
  scratch: string
  settings: Settings
  /** An empty database on PostgreSQL for archives of such a one, which is empty afterwards; null for none. */
  trial: TrialDatabase | null
  /** What Node runs a program of Gatehouse with. */
  nodeArguments: (name: ProgramName) => readonly string[]
}

/** Resolves with what was found, a sentence each. Throws BackupError with the first thing that is wrong. */
export async function verifyArchive(file: string, { identity, scratch, settings, trial, nodeArguments }: VerifyOptions): Promise<string[]> {
  const { half } = requireArchiveName(file)
  const into = join(scratch, half)
  await mkdir(into, { mode: 0o700 })
  const folders = await unpackArchive(file, { identity, into, settings })
  const dumped = existsSync(join(folders.databases, `${half}.pgdump`))
  const environment = {
    GATEHOUSE_DATA: join(into, 'restored'),
    GATEHOUSE_KEYS: join(into, 'restored-keys'),
    ...(dumped && variablesOf(half, trial)),
  }
  const copy = parseSettings(environment, into)
  const address = half === 'portal' ? copy.portalPostgresql : copy.servicePostgresql
  if (address) await requireEmpty(address)
  try {
    const names = await restore(copy, folders)
    const name = `${half}.${dumped ? 'pgdump' : 'db'}`
    if (!names.includes(name)) throw new BackupError(`The archive has no ${name}.`)
    // The check below is of this version, and nobody else uses the database.
    if (address) await preparePlace(address, half)
    const database = half === 'portal' ? copy.portalDatabase : copy.serviceDatabase
    return [
      `Decrypted and complete: ${names.join(', ')}.`,
      address ? await countRestored(address, half) : checkDatabase(database, half),
      ...(await runCheck(nodeArguments(half === 'portal' ? 'portal-keys' : 'service-keys'), half, environment, settings)),
    ]
  } finally {
    if (address) await emptyDatabase(address)
  }
}

/** The settings with which a half is on the trial's database. */
function variablesOf(half: Half, trial: TrialDatabase | null): Record<string, string> {
  if (trial === null) {
    throw new BackupError(
      `${half}.pgdump is of a database on PostgreSQL. Name an empty one for the drill: --database postgresql://user@host/database`,
    )
  }
  const prefix = half === 'portal' ? 'DATABASE' : 'SERVICE_DATABASE'
  return { [`${prefix}_URL`]: trial.url, ...(trial.passwordFile !== null && { [`${prefix}_PASSWORD_FILE`]: trial.passwordFile }) }
}

/** Table and what one of its rows, and several, are called. */
const counted: Readonly<Record<Half, readonly (readonly [table: string, one: string, several: string])[]>> = {
  portal: [
    ['User', 'user', 'users'],
    ['Server', 'server', 'servers'],
    ['Site', 'site', 'sites'],
    ['Job', 'job', 'jobs'],
    ['AuditRow', 'audit log entry', 'audit log entries'],
  ],
  service: [
    ['Machine', 'server', 'servers'],
    ['Site', 'site', 'sites'],
    ['ApiKey', 'API key', 'API keys'],
  ],
}

function checkDatabase(file: string, half: Half): string {
  const connection = openConnection(file)
  try {
    const faults = connection.query('PRAGMA integrity_check(1)', []).rows.map(([fault]) => String(fault))
    if (faults.join() !== 'ok') throw new BackupError(`${half}.db is damaged: ${faults.join(' ').slice(0, 200)}`)
    const orphans = connection.query('PRAGMA foreign_key_check', []).rows.length
    if (orphans > 0) throw new BackupError(`${half}.db has ${orphans} rows that refer to missing ones.`)
    const rows = counted[half].map(([table]) => Number(connection.query(`SELECT count(*) FROM "${table}"`, []).rows[0]?.[0]))
    return `${half}.db is intact: ${formatCounts(half, rows)}.`
  } finally {
    connection.close()
  }
}

/** PostgreSQL has checked each constraint while it restored. */
const countRestored = (address: PostgresqlAddress, half: Half): Promise<string> =>
  withSession(address, async (session) => {
    const rows: number[] = []
    for (const [table] of counted[half]) rows.push(Number((await session.query(`SELECT count(*) FROM "${table}"`)).rows[0]?.count))
    return `${half}.pgdump is intact: ${formatCounts(half, rows)}.`
  })

const formatCounts = (half: Half, rows: readonly number[]): string =>
  counted[half].map(([, one, several], place) => `${rows[place]} ${rows[place] === 1 ? one : several}`).join(', ')

/** Each half's own check of what is encrypted, and of the portal's audit log, as a process with the settings of the copy. */
async function runCheck(program: readonly string[], half: Half, environment: object, { kekFromEnvironment }: Settings): Promise<string[]> {
  const key = half === 'portal' && kekFromEnvironment !== null ? { GATEHOUSE_KEK: kekFromEnvironment } : {}
  const env = { ...programEnvironment(), ...environment, LOG_LEVEL: 'silent', NODE_ENV: 'production', ...key } as NodeJS.ProcessEnv
  const { failed, text } = await promisify(execFile)(process.execPath, [...program, 'verify'], { env, maxBuffer: 10_000_000 }).then(
    ({ stdout }) => ({ failed: false, text: stdout }),
    ({ stdout, stderr }: { stdout: string; stderr: string }) => ({ failed: true, text: `${stdout}${stderr}` }),
  )
  if (failed) throw new BackupError(text.trim())
  return text.trim().split('\n')
}
