/** A portal database of its own for a test: settings, key files, schema and key ring in a temporary folder. */
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Engine } from '@/lib/database/schema-engine'
import { Sqlite } from '@/lib/database/sqlite'
import { log } from '@/lib/log'
import { closeDatabase, database, db } from '@/lib/portal/base/db'
import { settleAsideWrites } from '@/lib/portal/base/write-aside'
import { openRing } from '@/lib/portal/custody/ring'
import { closeAgents } from '@/lib/portal/upstream/agents'
import { createKeyFile } from '@/lib/sealing/key-file'
import { getSettings, parseSettings, type Settings } from '@/lib/settings/settings'
import type { PrismaClient } from '@/prisma/generated/portal/client'
import { templateOf } from './database-templates'
import { testEngine } from './engine'
import type { Place } from './gatehouse-process'
import { askPostgresql, dumpPostgresql, openPostgresql, type TestPostgresql } from './postgresql'
import { forgetProcess } from './reset-process'
import { runSql } from './sqlite-file'

export type PortalDatabase = {
  db: PrismaClient
  settings: Settings
  [Symbol.asyncDispose]: () => Promise<void>
}

type PortalDatabaseOptions = {
  /** Environment variables beside those set here (which point everything at the temporary folder). */
  environment?: Record<string, string>
  /** Puts a database and key files in place instead of new ones. */
  place?: (settings: Settings) => Promise<void>
  /** The one that TEST_ENGINE names, if it is not given. */
  engine?: Engine
  /** A migrated database on PostgreSQL that the test has opened and disposes of, instead of one that is made here. */
  postgresql?: TestPostgresql
  /** False leaves the key ring shut and its table empty, as before a first start. */
  ring?: boolean
}

/**
 * Opens an empty portal database; `db()` and `getSettings()` answer from it until it is disposed. One at a time:
 *
 *     await using portal = await openPortalDatabase()
 *
 * Loopback upstreams are allowed, since that is where tests put theirs. It is on PostgreSQL where TEST_ENGINE says so.
 */
export async function openPortalDatabase({
  environment = {},
  ring = true,
  engine = testEngine,
  place = placeNew,
  postgresql: given,
}: PortalDatabaseOptions = {}): Promise<PortalDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-portal-'))
  const settings = pointSettingsAt(folder, environment)
  const postgresql = !given && engine === 'postgresql' && place === placeNew ? await openPostgresql('portal') : null
  settings.portalPostgresql = (given ?? postgresql)?.address ?? null
  await place(settings)
  await closeDatabase()
  forgetProcess()
  if (ring) await openRing()
  const client = db()
  return {
    db: client,
    settings,
    [Symbol.asyncDispose]: async () => {
      await settleAsideWrites()
      await Promise.all([closeDatabase(), closeAgents()])
      forgetProcess()
      await postgresql?.[Symbol.asyncDispose]()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Runs a statement as another process would. */
export async function runBeside({ settings }: PortalDatabase, sql: string): Promise<void> {
  if (settings.portalPostgresql) await askPostgresql(settings.portalPostgresql, sql)
  else runSql(settings.portalDatabase, sql)
}

/** What a thief of the database has: on SQLite the file, its write-ahead log and whatever else is beside them. */
export function dumpPortal({ settings }: PortalDatabase): Buffer {
  if (settings.portalPostgresql) return dumpPostgresql(settings.portalPostgresql)
  const folder = dirname(settings.portalDatabase)
  return Buffer.concat(readdirSync(folder).map((name) => readFileSync(join(folder, name))))
}

/** The file behind `db()`, for a test that counts what SQLite is asked. */
export function sqliteOfPortal(): Sqlite {
  const open = database()
  if (!(open instanceof Sqlite)) throw new Error('The portal is not on SQLite.')
  return open
}

/** Connects this process to the database of a portal that runs in another process, until disposed. */
export function lookInto({ env, dir }: Pick<Place, 'env' | 'dir'>): AsyncDisposable {
  Object.assign(getSettings(), parseSettings(env, dir))
  forgetProcess()
  return {
    [Symbol.asyncDispose]: async () => {
      await closeDatabase()
      forgetProcess()
    },
  }
}

async function placeNew(settings: Settings): Promise<void> {
  mkdirSync(dirname(settings.portalDatabase), { recursive: true, mode: 0o700 })
  copyFileSync(await templateOf('portal'), settings.portalDatabase)
  if (settings.kekFromEnvironment === null) createKeyFile(settings.portalKekFile).fill(0)
  createKeyFile(settings.sessionSecretFile).fill(0)
}

/** Settings are parsed once a process; modules may have asked for them already, so they are changed in place. */
function pointSettingsAt(folder: string, environment: Record<string, string>): Settings {
  const settings = getSettings()
  const own = { GATEHOUSE_DATA: join(folder, 'data'), GATEHOUSE_KEYS: join(folder, 'keys'), LOG_LEVEL: 'silent' }
  const allowed = { ALLOW_PRIVATE_UPSTREAMS: 'localhost,127.0.0.0/8,::1' }
  Object.assign(settings, parseSettings({ ...own, ...allowed, ...environment }, folder))
  log.level = settings.logLevel
  return settings
}
