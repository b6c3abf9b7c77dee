/** `npm run sandbox:fill -- N [--account NAME]`: adds N sandbox servers, to try Gatehouse with large lists. */
import { parseArgs } from 'node:util'
import { findExitCode } from '@/lib/command-exit-code'
import { DatabaseError } from '@/lib/database/database-error'
import { servicePlace } from '@/lib/database/place'
import { preparePlace } from '@/lib/database/prepare-place'
import { getSettings, SettingsError } from '@/lib/settings/settings'
import { ensureAccount } from './store/accounts'
import { openStore } from './store/db'
import { fillAccount } from './store/seed'

const most = 100_000

const usage = `usage: npm run sandbox:fill -- N [--account NAME]
       Adds N (1 to ${most}) sandbox servers to the account of that name; without one, to the account that
       the portal's own key belongs to. The portal shows them with its next list.
`

/** A wrong command line; reported in one line. */
class UsageError extends Error {}

function readArguments(): { count: number; account: string } {
  try {
    const { values, positionals } = parseArgs({ options: { account: { type: 'string', default: 'portal' } }, allowPositionals: true })
    const [given = '', ...rest] = positionals
    const count = /^\d{1,6}$/.test(given) ? Number(given) : 0
    if (rest.length === 0 && count >= 1 && count <= most) return { count, account: values.account }
  } catch {
    // parseArgs reports the unknown option; the usage lists the valid ones.
  }
  throw new UsageError(usage)
}

try {
  const startedAt = performance.now()
  const { count, account } = readArguments()
  const place = servicePlace(getSettings())
  await preparePlace(place, 'service')
  const db = openStore(place)
  await fillAccount(db, (await ensureAccount(db, account)).id, count)
  await db.$disconnect()
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  process.stdout.write(`${count} sandbox ${count === 1 ? 'server' : 'servers'} made in ${seconds} s.\n`)
} catch (error) {
  const known = error instanceof UsageError || error instanceof DatabaseError || error instanceof SettingsError
  process.stderr.write(known ? `${error.message.trimEnd()}\n` : 'The sandbox servers could not be created.\n')
  process.exitCode = findExitCode(error)
}
