/** `gatehouse backup verify [FILE] --identity FILE [--database ADDRESS [--password FILE]] [--json]`: proves that the newest scheduled backup, or FILE, can be restored. Changes nothing. */
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { findExitCode } from '@/lib/command-exit-code'
import { WrongUse } from '@/lib/commands.mjs'
import { DatabaseError } from '@/lib/database/database-error'
import { nodeArguments } from '@/lib/own-program'
import { getSettings, type Settings, SettingsError } from '@/lib/settings/settings'
import { BackupError } from './layout'
import type { Half } from './scheduled/archive-name'
import { requireArchiveName } from './scheduled/unpack'
import { findMissingHalves, findNewestArchives, type TrialDatabase, type VerifyOptions, verifyArchive } from './scheduled/verify'

const options = {
  identity: { type: 'string' },
  database: { type: 'string' },
  password: { type: 'string' },
  json: { type: 'boolean', default: false },
} as const

type Arguments = { file: string | null; identity: string; trial: TrialDatabase | null; asJson: boolean }

function readArguments(): Arguments {
  try {
    const { values, positionals } = parseArgs({ options, allowPositionals: true })
    const [file, ...rest] = positionals
    const { identity, database: url, password, json: asJson } = values
    if (identity !== undefined && rest.length === 0 && (password === undefined || url !== undefined)) {
      const trial = url === undefined ? null : { url, passwordFile: password === undefined ? null : resolve(password) }
      return { file: file === undefined ? null : resolve(file), identity: resolve(identity), trial, asJson }
    }
  } catch {
    // parseArgs reports the unknown option; the usage lists the valid ones.
  }
  throw new WrongUse('backup')
}

/** missing: halves of which the folder has no archive */
async function chooseFiles(file: string | null, { backup }: Settings): Promise<{ files: string[]; missing: Half[] }> {
  if (file !== null) return { files: [file], missing: [] }
  if (backup === null || !('folder' in backup.target)) {
    throw new BackupError('Without BACKUP_FOLDER there is no newest backup here: name the file of one.')
  }
  const files = await findNewestArchives(backup.target.folder)
  return { files, missing: findMissingHalves(files) }
}

/** Decrypted keys lie there for a moment, so a signal removes it too. */
function makeScratch(): { scratch: string; remove: () => void } {
  const scratch = mkdtempSync(join(tmpdir(), 'gatehouse-verify-'))
  const remove = () => rmSync(scratch, { recursive: true, force: true })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      remove()
      process.exit(128 + constants.signals[signal])
    })
  }
  return { scratch, remove }
}

async function run(): Promise<void> {
  const { file, identity, trial, asJson } = readArguments()
  const settings = getSettings()
  const { files, missing } = await chooseFiles(file, settings)
  for (const path of [identity, ...files]) if (!existsSync(path)) throw new BackupError(`${path} does not exist.`)
  const print = asJson ? () => undefined : (line: string) => void process.stdout.write(`${line}\n`)
  for (const half of missing) print(`There is no backup of the ${half} in ${dirname(files[0] ?? '')}.`)
  const { scratch, remove } = makeScratch()
  const archives: Result[] = []
  try {
    for (const each of files) {
      const result = await verifyOne(each, { identity, scratch, settings, trial, nodeArguments })
      archives.push(result)
      if (result.error === null) print(result.description)
      else process.stderr.write(`${result.description}\n`)
    }
  } finally {
    remove()
  }
  const ok = archives.every(({ error }) => error === null)
  if (asJson) process.stdout.write(`${JSON.stringify({ ok, missing, archives: archives.map(({ description, ...each }) => each) })}\n`)
  if (!ok) process.exitCode = 1
  else print(`${files.length === 1 ? 'This backup' : 'These backups'} can be restored.`)
}

/** madeAt: ISO 8601. error: why the archive cannot be restored; null if it can. description: for people */
type Result = { file: string; half: Half; madeAt: string; bytes: number; findings: string[]; error: string | null; description: string }

async function verifyOne(file: string, options: VerifyOptions): Promise<Result> {
  const { half, at } = requireArchiveName(file)
  const result = { file, half, madeAt: at.toISOString(), bytes: statSync(file).size }
  try {
    const findings = await verifyArchive(file, options)
    const description = [`${basename(file)}: ${formatTime(at)} UTC, ${formatSize(result.bytes)}.`, ...findings].join('\n')
    return { ...result, findings, error: null, description }
  } catch (error) {
    if (!(error instanceof BackupError || error instanceof DatabaseError)) throw error
    return { ...result, findings: [], error: error.message, description: `${basename(file)}: ${error.message}` }
  }
}

const formatTime = (at: Date): string => at.toISOString().slice(0, 16).replace('T', ' ')

const formatSize = (bytes: number): string =>
  bytes < 1_000_000 ? `${Math.max(1, Math.round(bytes / 1000))} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`

try {
  await run()
} catch (error) {
  const known = error instanceof BackupError || error instanceof WrongUse || error instanceof SettingsError
  process.stderr.write(known ? `${error.message}\n` : `Failed: ${String(error)}\n`)
  process.exitCode = findExitCode(error)
}
