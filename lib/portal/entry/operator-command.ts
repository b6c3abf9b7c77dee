/** A command for the person at the machine: it says what it did, or in one line why not, and ends with code 1 then. */
import 'server-only'
import { existsSync } from 'node:fs'
import { KeyFileError } from '@/lib/sealing/key-file'
import { getSettings, SettingsError } from '@/lib/settings/settings'

/** What the operator has to know, and nothing more: printed as it is. */
export class Refusal extends Error {}

const known = [Refusal, SettingsError, KeyFileError]

/** Prints what `run` makes of the arguments. `failed` begins the line about whatever nobody foresaw. */
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

/** Refuses when nothing was ever started on these folders: opening the database would make an empty one. */
export function requireDatabase(): void {
  const { portalDatabase } = getSettings()
  if (!existsSync(portalDatabase)) throw new Refusal(`There is no database at ${portalDatabase}. Set GATEHOUSE_DATA as for npm run up.`)
}
