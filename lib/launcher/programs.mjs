/** Bundles all programs except the portal into JavaScript, so that a start neither transpiles nor opens hundreds of files. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isMain } from './is-main.mjs'
import { withProjectLock } from './lock.mjs'
import { isMade, markMade, removeUnused } from './made-folders.mjs'

const programs = {
  'launcher-start': 'lib/launcher/start.ts',
  'service-main': 'lib/service/main.ts',
  'service-keys': 'lib/service/keys.ts',
  'portal-prepare': 'lib/portal/entry/prepare.ts',
}

// These load compiled code or files relative to their own location; everything else is bundled.
const external = [
  '@photostructure/sqlite',
  '@node-rs/argon2',
  'ssh2',
  'pino',
  'prom-client',
  'esbuild',
  '@prisma/schema-engine-wasm',
  'next',
  'next-auth',
]

// Code written for CommonJS calls require, which ES modules lack.
const banner = "import { createRequire as makeRequire } from 'node:module'\nconst require = makeRequire(import.meta.url)"

function programsFolder() {
  const hash = createHash('sha256').update(process.version).update(readFileSync('package-lock.json'))
  for (const root of ['lib', 'prisma/generated']) {
    const names = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => /\.m?ts$|programs\.mjs$/.test(name))
    for (const name of names.sort()) hash.update(`${name}\0`).update(readFileSync(join(root, name)))
  }
  return `.programs/${hash.digest('hex').slice(0, 16)}`
}

/**
 * Scripts for servers stay next to the code that reads them: `import.meta.url` is replaced by the location of the source relative to the
 * bundle, so that the whole project can be moved.
 * @param {string} folder
 * @returns {import('esbuild').Plugin}
 */
const sourcePlaces = (folder) => ({
  name: 'source-places',
  setup(build) {
    build.onLoad({ filter: /\/lib\/.*\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8')
      if (!text.includes('import.meta.url')) return undefined
      const place = JSON.stringify(relative(resolve(folder), path))
      return { contents: text.replaceAll('import.meta.url', `new URL(${place}, import.meta.url).href`), loader: 'ts' }
    })
  },
})

/** Resolves with the folder of the programs. Rejects with esbuild's own output if one cannot be built. */
export async function buildPrograms() {
  const folder = programsFolder()
  if (isMade(folder)) return folder
  await withProjectLock(async () => {
    if (!isMade(folder)) await buildInto(folder)
  })
  return folder
}

/** @param {string} folder */
async function buildInto(folder) {
  rmSync(folder, { recursive: true, force: true })
  const { build } = await import('esbuild')
  await build({
    entryPoints: Object.entries(programs).map(([out, entry]) => ({ in: entry, out })),
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    external,
    conditions: ['react-server'],
    banner: { js: banner },
    alias: { '@': process.cwd() },
    sourcemap: true,
    plugins: [sourcePlaces(folder)],
    logLevel: 'silent',
  })
  markMade(folder)
  removeUnused(folder)
}

/**
 * Runs a program in this process; stack traces refer to the lines of its sources.
 * @param {string} folder as buildPrograms resolved with it
 * @param {keyof typeof programs} name
 */
export function importProgram(folder, name) {
  process.setSourceMapsEnabled(true)
  return import(pathToFileURL(resolve(folder, `${name}.mjs`)).href)
}

if (isMain(import.meta.url)) await buildPrograms()
