/** A command for the operator: prints what it did, or why not in one line and exits with 1. */
import 'server-only'
import { existsSync } from 'node:fs'
import { KeyFileError } from '@/lib/sealing/key-file'
import { getSettings, SettingsError } from '@/lib/settings/settings'

/** Everything the operator has to know: printed as it is. */
export class Refusal extends Error {}

const known = [Refusal, SettingsError, KeyFileError]

/** Prints what `run` returns for the arguments. `failed` begins the line about an unexpected error. */
export async function runCommand(run: (args: string[]) => Promise<string>, failed: string): Promise<void> {
  try {
    process.stdout.write(await run(process.argv.slice(2)))
  } catch (error) {
    const said = error instanceof Error && known.some((kind) => error instanceof kind) ? error.message : `${failed}: ${String(error)}`
    process.stderr.write(`${said}\n`)
    process.exitCode = 1
  } finally {
    const { closeDatabase } = await import('@/lib/portal/base/db')
    await closeDatabase()
  }
}

/** Refuses when these folders were never used: opening the database would create an empty one. */
export function requireDatabase(): void {
  const { portalDatabase } = getSettings()
  if (!existsSync(portalDatabase)) throw new Refusal(`There is no database at ${portalDatabase}. Set GATEHOUSE_DATA as for npm run up.`)
}
