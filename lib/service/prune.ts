/** `gatehouse prune` for the service's database: deletes lines of old installs now. */
import { findExitCode } from '@/lib/command-exit-code'
import { isMade } from '@/lib/database/is-made'
import { servicePlace } from '@/lib/database/place'
import { getSettings, SettingsError } from '@/lib/settings/settings'
import { openStore } from './store/db'
import { pruneRunLines } from './store/prune'

try {
  const place = servicePlace(getSettings())
  if (await isMade(place)) {
    const db = openStore(place)
    process.stdout.write(`Service: ${await pruneRunLines(db)} log lines deleted.\n`)
    await db.$disconnect()
  }
} catch (error) {
  process.stderr.write(error instanceof SettingsError ? `${error.message}\n` : `The service could not be pruned: ${String(error)}\n`)
  process.exitCode = findExitCode(error)
}
