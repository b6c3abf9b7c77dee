/** Builds the portal when anything that goes into it changed since the last build. */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { addCompileHints } from './compile-hints.mjs'
import { packAssets } from './pack-assets.mjs'

const sources = [
  'app',
  'lib',
  'prisma/portal/schema.prisma',
  'package-lock.json',
  'next.config.js',
  'postcss.config.js',
  'proxy.ts',
  'instrumentation.ts',
]

/** @param {string} path @returns {string[]} */
function filesUnder(path) {
  if (!existsSync(path)) return []
  if (statSync(path).isFile()) return [path]
  return readdirSync(path)
    .sort()
    .flatMap((name) => filesUnder(join(path, name)))
}

function hashSources() {
  const hash = createHash('sha256').update(process.version)
  for (const file of sources.flatMap(filesUnder)) hash.update(`${file}\0`).update(readFileSync(file))
  return hash.digest('hex')
}

/** Answers true when it built. Throws with the build's own output when it fails. */
export function buildPortal() {
  const stamp = '.next/sources'
  const hash = hashSources()
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return false
  const run = spawnSync(process.execPath, ['node_modules/next/dist/bin/next', 'build'], {
    env: { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' },
    encoding: 'utf8',
  })
  if (run.status !== 0) throw new Error(`The portal could not be built:\n${run.stdout}${run.stderr}`)
  addCompileHints('.next/static/chunks')
  packAssets('.next/static')
  writeFileSync(stamp, hash)
  return true
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) buildPortal()
