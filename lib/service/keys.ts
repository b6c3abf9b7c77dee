/** `npm run service:keys -- create [--account NAME] | list | revoke ID`: manages the service's API keys. */
import { parseArgs } from 'node:util'
import { DatabaseError, prepareDatabase } from '@/lib/database/prepare'
import { getSettings, SettingsError } from '@/lib/settings/settings'
import { ensureAccount } from './store/accounts'
import { createApiKey, type KeyRecord, listApiKeys, revokeApiKey } from './store/api-keys'
import { openStore } from './store/db'
import type { Database } from './store/store'

const usage = `usage: npm run service:keys -- create [--account NAME]   create a key and print it once
       npm run service:keys -- list                      list the keys
       npm run service:keys -- revoke ID                 revoke a key
`

/** A wrong command line; reported in one line. */
class UsageError extends Error {}

const printedDate = (date: Date | null) => date?.toISOString().slice(0, 19).replace('T', ' ') ?? 'never'

function printKey({ id, account, createdAt, lastUsedAt, revokedAt }: KeyRecord): string {
  const state = revokedAt ? `revoked ${printedDate(revokedAt)}` : `last used ${printedDate(lastUsedAt)}`
  return `${id}  ${account}  created ${printedDate(createdAt)}  ${state}\n`
}

const commands: Record<string, (db: Database, rest: readonly string[], account: string) => Promise<string>> = {
  async create(db, rest, name) {
    if (rest.length > 0) throw new UsageError(usage)
    if (!/^[\w.@ -]{1,64}$/.test(name)) throw new UsageError('An account has a name of 1 to 64 letters, digits and . _ @ -\n')
    const account = await ensureAccount(db, name)
    return `${(await createApiKey(db, account.id)).key}\n`
  },
  async list(db, rest) {
    if (rest.length > 0) throw new UsageError(usage)
    return (await listApiKeys(db)).map(printKey).join('')
  },
  async revoke(db, [id, ...more]) {
    if (!id || more.length > 0) throw new UsageError(usage)
    if (!(await revokeApiKey(db, id))) throw new UsageError('There is no key with that id.\n')
    return `${id} revoked\n`
  },
}

function readArguments(): { run: (db: Database) => Promise<string> } {
  try {
    const { values, positionals } = parseArgs({ options: { account: { type: 'string', default: 'default' } }, allowPositionals: true })
    const [name = '', ...rest] = positionals
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined
    if (command) return { run: (db) => command(db, rest, values.account) }
  } catch {
    // parseArgs reports the unknown option; the usage lists the valid ones.
  }
  throw new UsageError(usage)
}

try {
  const { run } = readArguments()
  const { serviceDatabase } = getSettings()
  await prepareDatabase({ file: serviceDatabase, schema: 'service' })
  const db = openStore(serviceDatabase)
  process.stdout.write(await run(db))
  await db.$disconnect()
} catch (error) {
  const known = error instanceof UsageError || error instanceof DatabaseError || error instanceof SettingsError
  process.stderr.write(known ? `${error.message.trimEnd()}\n` : 'The key store is unavailable.\n')
  process.exitCode = 1
}
