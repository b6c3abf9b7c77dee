/** `gatehouse keys --service create [--account NAME] | list [--json] | revoke ID`: manages the service's API keys. */
import { parseArgs } from 'node:util'
import { findExitCode } from '@/lib/command-exit-code'
import { WrongUse } from '@/lib/commands.mjs'
import { DatabaseError, prepareDatabase } from '@/lib/database/prepare'
import { getSettings, SettingsError } from '@/lib/settings/settings'
import { ensureAccount } from './store/accounts'
import { createApiKey, type KeyRecord, listApiKeys, revokeApiKey } from './store/api-keys'
import { openStore } from './store/db'
import type { Database } from './store/store'

/** Reported in one line. */
class Refusal extends Error {}

const printedDate = (date: Date | null) => date?.toISOString().slice(0, 19).replace('T', ' ') ?? 'never'

function printKey({ id, account, createdAt, lastUsedAt, revokedAt }: KeyRecord): string {
  const state = revokedAt ? `revoked ${printedDate(revokedAt)}` : `last used ${printedDate(lastUsedAt)}`
  return `${id}  ${account}  created ${printedDate(createdAt)}  ${state}\n`
}

type Options = { account: string; json: boolean }

const commands: Record<string, (db: Database, rest: readonly string[], options: Options) => Promise<string>> = {
  async create(db, rest, { account: name, json }) {
    if (rest.length > 0 || json) throw new WrongUse('keys')
    if (!/^[\w.@ -]{1,64}$/.test(name)) throw new Refusal('An account has a name of 1 to 64 letters, digits and . _ @ -\n')
    const account = await ensureAccount(db, name)
    return `${(await createApiKey(db, account.id)).key}\n`
  },
  async list(db, rest, { json }) {
    if (rest.length > 0) throw new WrongUse('keys')
    const keys = await listApiKeys(db)
    return json ? `${JSON.stringify(keys)}\n` : keys.map(printKey).join('')
  },
  async revoke(db, [id, ...more], { json }) {
    if (!id || more.length > 0 || json) throw new WrongUse('keys')
    if (!(await revokeApiKey(db, id))) throw new Refusal('There is no key with that id.\n')
    return `${id} revoked\n`
  },
}

function readArguments(): { run: (db: Database) => Promise<string> } {
  try {
    const { values, positionals } = parseArgs({
      options: { account: { type: 'string', default: 'default' }, json: { type: 'boolean', default: false } },
      allowPositionals: true,
    })
    const [name = '', ...rest] = positionals
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined
    if (command) return { run: (db) => command(db, rest, values) }
  } catch {
    // parseArgs reports the unknown option; the usage lists the valid ones.
  }
  throw new WrongUse('keys')
}

try {
  const { run } = readArguments()
  const { serviceDatabase } = getSettings()
  await prepareDatabase({ file: serviceDatabase, schema: 'service' })
  const db = openStore(serviceDatabase)
  process.stdout.write(await run(db))
  await db.$disconnect()
} catch (error) {
  const known = error instanceof Refusal || error instanceof WrongUse || error instanceof DatabaseError || error instanceof SettingsError
  process.stderr.write(known ? `${error.message.trimEnd()}\n` : 'The key store is unavailable.\n')
  process.exitCode = findExitCode(error)
}
