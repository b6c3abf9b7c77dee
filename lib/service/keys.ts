/** `gatehouse keys --service`: manages the service's API keys (create, list, revoke) and its master key (verify, rotate, retire). */
import { parseArgs } from 'node:util'
import { findExitCode } from '@/lib/command-exit-code'
import { WrongUse } from '@/lib/commands.mjs'
import { DatabaseError } from '@/lib/database/database-error'
import { servicePlace } from '@/lib/database/place'
import { preparePlace } from '@/lib/database/prepare-place'
import { KeyFileError } from '@/lib/sealing/key-file'
import { getSettings, SettingsError } from '@/lib/settings/settings'
import { retire, rotate, verify } from './master-key'
import { Refusal } from './refusal'
import { ensureAccount } from './store/accounts'
import { createApiKey, type KeyRecord, listApiKeys, revokeApiKey } from './store/api-keys'
import { openStore } from './store/db'
import type { Database } from './store/store'

const printedDate = (date: Date | null) => date?.toISOString().slice(0, 19).replace('T', ' ') ?? 'never'

function printKey({ id, account, createdAt, lastUsedAt, revokedAt }: KeyRecord): string {
  const state = revokedAt ? `revoked ${printedDate(revokedAt)}` : `last used ${printedDate(lastUsedAt)}`
  return `${id}  ${account}  created ${printedDate(createdAt)}  ${state}\n`
}

type Options = { account: string; json: boolean }

const apiKeyCommands: Record<string, (db: Database, rest: readonly string[], options: Options) => Promise<string>> = {
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

const masterKeyCommands: Record<string, () => Promise<string>> = { verify, rotate, retire }

/** What the command line asks for. Throws WrongUse. */
function readArguments(): () => Promise<string> {
  const { name, rest, options } = parse()
  const onMasterKey = Object.hasOwn(masterKeyCommands, name) ? masterKeyCommands[name] : undefined
  if (onMasterKey && process.argv.length === 3) return onMasterKey
  const onApiKeys = Object.hasOwn(apiKeyCommands, name) ? apiKeyCommands[name] : undefined
  if (!onApiKeys) throw new WrongUse('keys')
  return async () => {
    const place = servicePlace(getSettings())
    await preparePlace(place, 'service')
    const db = openStore(place)
    try {
      return await onApiKeys(db, rest, options)
    } finally {
      await db.$disconnect()
    }
  }
}

function parse(): { name: string; rest: readonly string[]; options: Options } {
  try {
    const { values, positionals } = parseArgs({
      options: { account: { type: 'string', default: 'default' }, json: { type: 'boolean', default: false } },
      allowPositionals: true,
    })
    const [name = '', ...rest] = positionals
    return { name, rest, options: values }
  } catch {
    // parseArgs reports the unknown option; the usage lists the valid ones.
    throw new WrongUse('keys')
  }
}

const known = [Refusal, WrongUse, DatabaseError, SettingsError, KeyFileError]

try {
  process.stdout.write(await readArguments()())
} catch (error) {
  const said = error instanceof Error && known.some((kind) => error instanceof kind) ? error.message : 'The key store is unavailable.'
  process.stderr.write(`${said.trimEnd()}\n`)
  process.exitCode = findExitCode(error)
}
