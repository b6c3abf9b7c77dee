/** `gatehouse backup FOLDER [--keys FOLDER]` and `gatehouse restore FOLDER [--keys FOLDER]`. */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { findExitCode } from '@/lib/command-exit-code'
import { WrongUse } from '@/lib/commands.mjs'
import { DatabaseError } from '@/lib/database/database-error'
import { describeAddress } from '@/lib/database/postgresql'
import { getSettings, type Settings, SettingsError } from '@/lib/settings/settings'
import { backUp } from './backup'
import { BackupError } from './layout'
import { restore } from './restore'

function readArguments(): { command: string; databases: string; keys: string } {
  try {
    const { values, positionals } = parseArgs({ options: { keys: { type: 'string' } }, allowPositionals: true })
    const [command = '', folder = '', ...rest] = positionals
    if (folder !== '' && rest.length === 0) {
      const databases = resolve(folder)
      return { command, databases, keys: resolve(values.keys ?? `${databases}-keys`) }
    }
  } catch {
    // parseArgs reports the unknown option; the usage lists the valid ones.
  }
  throw new WrongUse(process.argv[2] === 'restore' ? 'restore' : 'backup')
}

const addressesOf = ({ portalPostgresql, servicePostgresql }: Settings) =>
  [portalPostgresql, servicePostgresql].filter((address) => address !== null)

try {
  const { command, ...folders } = readArguments()
  const settings = getSettings()
  if (folders.databases === folders.keys) throw new BackupError('Put the keys into a separate folder.')
  if (command === 'restore') {
    const names = await restore(settings, folders)
    const places = [settings.dataDir, settings.keysDir, ...addressesOf(settings).map(describeAddress)]
    process.stdout.write(`Restored into ${places.slice(0, -1).join(', ')} and ${places.at(-1)}: ${names.join(', ')}.\n`)
  } else {
    const { names, missing } = await backUp(settings, folders)
    process.stdout.write(`Backed up to ${folders.databases} and ${folders.keys}: ${names.join(', ')}.\n`)
    for (const { database, id } of missing) {
      const source = database.startsWith('portal.') ? ' It comes from GATEHOUSE_KEK, or its file is missing.' : ' Its file is missing.'
      process.stdout.write(`${database} needs the master key ${id}, which is not included and which a restore needs.${source}\n`)
    }
  }
} catch (error) {
  const known = [BackupError, WrongUse, SettingsError, DatabaseError].some((kind) => error instanceof kind)
  process.stderr.write(known && error instanceof Error ? `${error.message}\n` : `Failed: ${String(error)}\n`)
  process.exitCode = findExitCode(error)
}
