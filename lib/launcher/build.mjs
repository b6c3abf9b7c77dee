/** Builds the portal if any of its sources changed since the last build. */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { announce } from './announce.mjs'
import { addCompileHints } from './compile-hints.mjs'
import { isMain } from './is-main.mjs'
import { withProjectLock } from './lock.mjs'
import { isMade, markMade, removeUnused } from './made-folders.mjs'
import { packAssets } from './pack-assets.mjs'
import { runTool } from './tool.mjs'

const sources = [
  'app',
  'lib',
  'prisma/portal/schema.prisma',
  'package-lock.json',
  'next.config.js',
  'postcss.config.js',
  'tsconfig.json',
  'tsconfig.next.json',
  'proxy.ts',
  'instrumentation.ts',
]

/** @param {string} root @param {string} path within it @returns {string[]} */
function filesUnder(root, path) {
  const whole = join(root, path)
  if (!existsSync(whole)) return []
  if (statSync(whole).isFile()) return [path]
  return readdirSync(whole)
    .sort()
    .flatMap((name) => filesUnder(root, join(path, name)))
}

/** The folder for a build of the present sources, whether or not it exists; relative to the project's folder, as Next requires. */
export function buildFolder(root = '.') {
  const hash = createHash('sha256')
  for (const file of sources.flatMap((path) => filesUnder(root, path))) hash.update(`${file}\0`).update(readFileSync(join(root, file)))
  return `.next-builds/${hash.digest('hex').slice(0, 16)}`
}

/** Resolves with the folder of the build. Rejects with the build's own output if it fails. */
export async function buildPortal() {
  const folder = buildFolder()
  if (isMade(folder)) return folder
  await withProjectLock(async () => {
    if (!isMade(folder)) await announce('Building the portal', 'Built the portal', () => buildInto(folder))
  })
  return folder
}

/**
 * Next derives the ids of server actions from this key and the file, name and arguments of each, and nothing else: every build accepts the forms of every other one
 * that has the action. It is public, and encrypts nothing: a portal sets its own key when it starts (lib/portal/entry/action-key.ts).
 */
export const keyOfIds = createHash('sha256').update('server actions of Gatehouse').digest('base64')

/** @param {string} folder */
async function buildInto(folder) {
  rmSync(folder, { recursive: true, force: true })
  const build = { GATEHOUSE_BUILD: folder, NEXT_SERVER_ACTIONS_ENCRYPTION_KEY: keyOfIds }
  const { code, output } = await runTool([process.execPath, 'node_modules/next/dist/bin/next', 'build'], {
    env: { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1', ...build },
  })
  // Next writes this file for editors. It refers to this build's types, which disappear with the build.
  rmSync('next-env.d.ts', { force: true })
  if (code !== 0) throw new Error(`The portal could not be built:\n${output}`)
  addCompileHints(`${folder}/static/chunks`)
  packAssets(`${folder}/static`)
  markMade(folder)
  removeUnused(folder)
}

if (isMain(import.meta.url)) {
  await import('./require-ready.mjs')
  await buildPortal()
}
