/** `gatehouse backup FOLDER [--keys FOLDER]` and `gatehouse restore FOLDER [--keys FOLDER]`. */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { findExitCode } from '@/lib/command-exit-code'
import { WrongUse } from '@/lib/commands.mjs'
import { getSettings, SettingsError } from '@/lib/settings/settings'
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

try {
  const { command, ...folders } = readArguments()
  const settings = getSettings()
  if (folders.databases === folders.keys) throw new BackupError('Put the keys into a separate folder.')
  const names = await (command === 'restore' ? restore : backUp)(settings, folders)
  const done =
    command === 'restore'
      ? `Restored into ${settings.dataDir} and ${settings.keysDir}`
      : `Backed up to ${folders.databases} and ${folders.keys}`
  process.stdout.write(`${done}: ${names.join(', ')}.\n`)
  if (!names.includes('portal-kek.key') && names.includes('portal.db')) {
    process.stdout.write('The portal’s key is not included: it came from GATEHOUSE_KEK, and a restore needs it.\n')
  }
} catch (error) {
  const known = error instanceof BackupError || error instanceof WrongUse || error instanceof SettingsError
  process.stderr.write(known ? `${error.message}\n` : `Failed: ${String(error)}\n`)
  process.exitCode = findExitCode(error)
}
