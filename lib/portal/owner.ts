/** `npm run owner -- recover EMAIL`: a one-time link for somebody locked out, printed on the machine itself. */
import 'server-only'
import { existsSync } from 'node:fs'
import { KeyFileError } from '@/lib/sealing/key-file'
import { getSettings, SettingsError } from '@/lib/settings/settings'

/** A reason to end with one line and exit code 1. */
class Refusal extends Error {}

async function run([command, email, ...rest]: string[]): Promise<string> {
  if (command !== 'recover' || email === undefined || rest.length > 0) throw new Refusal('Usage: npm run owner -- recover EMAIL')
  const { portalDatabase } = getSettings()
  if (!existsSync(portalDatabase)) throw new Refusal(`There is no database at ${portalDatabase}. Set GATEHOUSE_DATA as for npm run up.`)
  // Loaded only now: these read settings as they load, and what is wrong with those is to be one line.
  const [{ openRing }, { createRecoveryLink }] = await Promise.all([import('./custody/ring'), import('./identity/recovery')])
  await openRing()
  const link = await createRecoveryLink(email)
  if (link === null) throw new Refusal('Nobody active has that address.')
  return `Set a new password within one hour (the link works once):\n${link}\n`
}

try {
  process.stdout.write(await run(process.argv.slice(2)))
} catch (error) {
  const known = [Refusal, SettingsError, KeyFileError].some((kind) => error instanceof kind)
  process.stderr.write(known && error instanceof Error ? `${error.message}\n` : `The link could not be made: ${String(error)}\n`)
  process.exitCode = 1
}
