/** `gatehouse backup verify [FILE] --identity FILE`: proves that the newest scheduled backup, or FILE, can be restored. Changes nothing. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { findExitCode } from '@/lib/command-exit-code'
import { WrongUse } from '@/lib/commands.mjs'
import { type ProgramName, programs } from '@/lib/programs.mjs'
import { getSettings, type Settings, SettingsError } from '@/lib/settings/settings'
import { BackupError } from './layout'
import { findMissingHalves, findNewestArchives, verifyArchive } from './scheduled/verify'

function readArguments(): { file: string | null; identity: string } {
  try {
    const { values, positionals } = parseArgs({ options: { identity: { type: 'string' } }, allowPositionals: true })
    const [file, ...rest] = positionals
    if (values.identity !== undefined && rest.length === 0) {
      return { file: file === undefined ? null : resolve(file), identity: resolve(values.identity) }
    }
  } catch {
    // parseArgs reports the unknown option; the usage lists the valid ones.
  }
  throw new WrongUse('backup')
}

async function chooseFiles(file: string | null, { backup }: Settings): Promise<string[]> {
  if (file !== null) return [file]
  if (backup === null || !('folder' in backup.target)) {
    throw new BackupError('Without BACKUP_FOLDER there is no newest backup here: name the file of one.')
  }
  const { folder } = backup.target
  const files = await findNewestArchives(folder)
  for (const half of findMissingHalves(files)) process.stdout.write(`There is no backup of the ${half} in ${folder}.\n`)
  return files
}

/** How this program was started: from the sources of a clone, or beside the other programs of a build. */
function nodeArguments(name: ProgramName): readonly string[] {
  const own = process.argv[1] ?? ''
  return [...process.execArgv, own.endsWith('.ts') ? programs[name] : join(dirname(own), `${name}.mjs`)]
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
  const { file, identity } = readArguments()
  const settings = getSettings()
  const files = await chooseFiles(file, settings)
  for (const path of [identity, ...files]) if (!existsSync(path)) throw new BackupError(`${path} does not exist.`)
  const { scratch, remove } = makeScratch()
  try {
    for (const each of files)
      process.stdout.write(`${(await verifyArchive(each, { identity, scratch, settings, nodeArguments })).join('\n')}\n`)
  } finally {
    remove()
  }
  process.stdout.write(`${files.length === 1 ? 'This backup' : 'These backups'} can be restored.\n`)
}

try {
  await run()
} catch (error) {
  const known = error instanceof BackupError || error instanceof WrongUse || error instanceof SettingsError
  process.stderr.write(known ? `${error.message}\n` : `Failed: ${String(error)}\n`)
  process.exitCode = findExitCode(error)
}
