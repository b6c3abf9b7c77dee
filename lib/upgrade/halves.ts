/** The two halves as an upgrade sees them: whose databases they are, and a release's program that works on one of them. */
import { existsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Half } from '@/lib/rollback/losses'
import { parseSettings, type Settings } from '@/lib/settings/settings'
import { folderOf, type Installation, readRelease, UpgradeError } from './installation'
import { lastLine, runTool } from './run-tool'

export type HalfPlace = {
  half: Half
  /** The file, or on PostgreSQL the one that is not used; copies are beside it. */
  database: string
  onPostgresql: boolean
  settings: Settings
  env: NodeJS.ProcessEnv
}

export const halves: readonly Half[] = ['portal', 'service']

/** Throws SettingsError, and UpgradeError if data or keys are inside a release, which is removed one day. */
export function placeOf(installation: Installation, half: Half, env: NodeJS.ProcessEnv): HalfPlace {
  const settings = parseSettings(env as Record<string, string | undefined>, process.cwd())
  for (const [name, folder] of [
    ['GATEHOUSE_DATA', settings.dataDir],
    ['GATEHOUSE_KEYS', settings.keysDir],
  ] as const) {
    if (folder.startsWith(`${installation.releases}/`)) {
      throw new UpgradeError(`${folder} is inside the release. Stop Gatehouse, move the folder, and set ${name} to its new place.`)
    }
  }
  const isPortal = half === 'portal'
  return {
    half,
    env,
    settings,
    database: isPortal ? settings.portalDatabase : settings.serviceDatabase,
    onPostgresql: (isPortal ? settings.portalPostgresql : settings.servicePostgresql) !== null,
  }
}

/** One on PostgreSQL may have no tables yet; a copy of it has none either. */
export const hasDatabase = ({ database, onPostgresql }: HalfPlace): boolean => onPostgresql || existsSync(database)

/** Where the copy of the database is put. stamp: a part of the name */
export const copyPath = ({ database, onPostgresql }: HalfPlace, stamp: string): string =>
  `${onPostgresql ? database.replace(/\.db$/, '.pgdump') : database}.before-${stamp}`

/**
 * Runs lib/upgrade/half-command.ts of a version on the half's database, as the owner of the database's folder, so that no file of root's stays there.
 * Resolves with what it printed. Rejects with UpgradeError, whose message is the program's last line.
 */
export async function runOnHalf(
  installation: Installation,
  version: string,
  { half, database, env, settings }: HalfPlace,
  ...args: [string, string?]
): Promise<string> {
  const folder = folderOf(installation, version)
  const [work, path] = args
  const program = join(folder, readRelease(folder).programs, 'upgrade-half.mjs')
  const node = env.GATEHOUSE_NODE ?? join(folder, 'node/bin/node')
  const folderOfData = existsSync(dirname(database)) ? dirname(database) : settings.dataDir
  const { uid, gid } = statSync(folderOfData)
  const user = process.geteuid?.() === 0 ? { uid, gid } : {}
  const { code, stdout, stderr } = await runTool(
    node,
    ['--conditions=react-server', program, work, half, ...(path === undefined ? [] : [path])],
    {
      cwd: folder,
      env: { ...env, LOG_LEVEL: 'silent' },
      ...user,
    },
  )
  if (code !== 0) throw new UpgradeError(lastLine(stderr) || `The ${half}'s database could not be worked on (${code}).`)
  return stdout
}
