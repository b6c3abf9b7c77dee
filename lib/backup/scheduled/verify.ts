/** The restore drill: decrypts archives into a temporary folder, restores them there, checks everything, and removes it. */
import { execFile } from 'node:child_process'
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { openConnection } from '@/lib/database/connection'
import type { ProgramName } from '@/lib/programs.mjs'
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

export type VerifyOptions = {
  identity: string
  /** An existing folder of mode 0700; the caller removes it. */
  scratch: string
  settings: Settings
  /** What Node runs a program of Gatehouse with. */
  nodeArguments: (name: ProgramName) => readonly string[]
}

/** Resolves with what was found, a sentence each. Throws BackupError with the first thing that is wrong. */
export async function verifyArchive(file: string, { identity, scratch, settings, nodeArguments }: VerifyOptions): Promise<string[]> {
  const { half } = requireArchiveName(file)
  const into = join(scratch, half)
  await mkdir(into, { mode: 0o700 })
  const folders = await unpackArchive(file, { identity, into, settings })
  const copy = parseSettings({ GATEHOUSE_DATA: join(into, 'restored'), GATEHOUSE_KEYS: join(into, 'restored-keys') }, into)
  const names = await restore(copy, folders)
  const database = half === 'portal' ? copy.portalDatabase : copy.serviceDatabase
  if (!names.includes(`${half}.db`)) throw new BackupError(`The archive has no ${half}.db.`)
  return [
    `Decrypted and complete: ${names.join(', ')}.`,
    checkDatabase(database, half),
    ...(await runCheck(nodeArguments(half === 'portal' ? 'portal-keys' : 'service-keys'), half, copy, settings)),
  ]
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
    const counts = counted[half].map(([table, one, several]) => {
      const rows = Number(connection.query(`SELECT count(*) FROM "${table}"`, []).rows[0]?.[0])
      return `${rows} ${rows === 1 ? one : several}`
    })
    return `${half}.db is intact: ${counts.join(', ')}.`
  } finally {
    connection.close()
  }
}

/** Each half's own check of what is encrypted, and of the portal's audit log, as a process with the settings of the copy. */
async function runCheck(program: readonly string[], half: Half, copy: Settings, { kekFromEnvironment }: Settings): Promise<string[]> {
  const key = half === 'portal' && kekFromEnvironment !== null ? { GATEHOUSE_KEK: kekFromEnvironment } : {}
  const folders = { GATEHOUSE_DATA: copy.dataDir, GATEHOUSE_KEYS: copy.keysDir, LOG_LEVEL: 'silent', NODE_ENV: 'production' } as const
  const env = { ...programEnvironment(), ...folders, ...key }
  const { failed, text } = await promisify(execFile)(process.execPath, [...program, 'verify'], { env, maxBuffer: 10_000_000 }).then(
    ({ stdout }) => ({ failed: false, text: stdout }),
    ({ stdout, stderr }: { stdout: string; stderr: string }) => ({ failed: true, text: `${stdout}${stderr}` }),
  )
  if (failed) throw new BackupError(text.trim())
  return text.trim().split('\n')
}
