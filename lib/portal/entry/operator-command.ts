/** Runs a command for the operator: prints the result, or the error or the usage, with the exit code of docs/running.md. */
import 'server-only'
import { findExitCode } from '@/lib/command-exit-code'
import { WrongUse } from '@/lib/commands.mjs'
import { DatabaseError } from '@/lib/database/database-error'
import { isMade } from '@/lib/database/is-made'
import { describePlace, portalPlace } from '@/lib/database/place'
import { KeyFileError } from '@/lib/sealing/key-file'
import { getSettings, SettingsError } from '@/lib/settings/settings'

/** A message for the operator, printed unchanged. */
export class Refusal extends Error {}

const known = [Refusal, WrongUse, SettingsError, KeyFileError, DatabaseError]

/** Prints the result of `run` for the arguments. `failed` begins the line for an unexpected error. */
export async function runCommand(run: (args: string[]) => Promise<string>, failed: string): Promise<void> {
  try {
    process.stdout.write(await run(process.argv.slice(2)))
  } catch (error) {
    const said = error instanceof Error && known.some((kind) => error instanceof kind) ? error.message : `${failed}: ${String(error)}`
    process.stderr.write(`${said}\n`)
    process.exitCode = findExitCode(error)
  } finally {
    const { closeDatabase } = await import('@/lib/portal/base/db')
    await closeDatabase()
  }
}

/** Refuses if these folders were never used, because opening the database would create an empty one. */
export async function requireDatabase(): Promise<void> {
  const place = portalPlace(getSettings())
  if (await isMade(place)) return
  throw new Refusal(`There is no database at ${describePlace(place)}. Set GATEHOUSE_DATA or DATABASE_URL as for ./gatehouse up.`)
}
