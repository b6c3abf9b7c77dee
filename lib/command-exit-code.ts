/** With which code a command ends that failed. docs/running.md lists the codes. */
import { WrongUse } from './commands.mjs'
import { configurationError, wrongUse } from './exit-codes.mjs'
import { KeyFileError } from './sealing/key-text'
import { SettingsError } from './settings/settings'

export function findExitCode(error: unknown): number {
  if (error instanceof WrongUse) return wrongUse
  return error instanceof SettingsError || error instanceof KeyFileError ? configurationError : 1
}
