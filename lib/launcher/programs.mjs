/** Bundles all programs except the portal into JavaScript, so that a start neither transpiles nor opens hundreds of files. */
import { createHash } from 'node:crypto'
import { cpSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { programs } from '../programs.mjs'
import { isMain } from './is-main.mjs'
import { withProjectLock } from './lock.mjs'
import { isMade, markMade, removeUnused } from './made-folders.mjs'

// These load compiled code or files relative to their own location; everything else is bundled.
const external = [
  '@photostructure/sqlite',
  '@node-rs/argon2',
  'ssh2',
  'pg',
  'pino',
  'prom-client',
  'esbuild',
  '@prisma/schema-engine-wasm',
  'next',
  'next-auth',
]

// Code written for CommonJS calls require, which ES modules lack.
const banner = "import { createRequire as makeRequire } from 'node:module'\nconst require = makeRequire(import.meta.url)"

/** What the programs consist of, and what they read while they run. */
const roots = ['lib', 'host', 'prisma/generated', 'prisma/portal', 'prisma/service']

const filesBelow = (/** @type {string} */ root) =>
  existsSync(root)
    ? readdirSync(root, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && !entry.name.endsWith('.pyc'))
        .map(({ parentPath, name }) => join(parentPath, name))
        .sort()
    : []

/** The folder for the programs of the present sources, whether or not it exists. */
export function programsFolder() {
  const hash = createHash('sha256').update(readFileSync('package-lock.json'))
  for (const file of roots.flatMap(filesBelow)) hash.update(`${file}\0`).update(readFileSync(file))
  return `.programs/${hash.digest('hex').slice(0, 16)}`
}

/** Scripts and the program for servers, apps, schemas and migrations are stored with the programs, which never read the sources: those may be newer already. @param {string} folder */
function copyWhatIsRead(folder) {
  const isRead = (/** @type {string} */ file) => !/\.(ts|mjs)$/.test(file) && !file.startsWith('prisma/generated/')
  for (const file of roots.flatMap(filesBelow).filter(isRead)) cpSync(file, join(folder, file))
}

/**
 * `import.meta.url` is replaced by the place that the source would have in the folder of the bundle, relative to it: what is read beside the
 * source is there, and the whole project can be moved.
 * @returns {import('esbuild').Plugin}
 */
const sourcePlaces = () => ({
  name: 'source-places',
  setup(build) {
    build.onLoad({ filter: /\/lib\/.*\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8')
      if (!text.includes('import.meta.url')) return undefined
      const place = JSON.stringify(relative('.', path))
      return { contents: text.replaceAll('import.meta.url', `new URL(${place}, import.meta.url).href`), loader: 'ts' }
    })
  },
})

/**
 * Node finds `next/headers` only by the name of its file, because Next's package does not list what it exports; tsx finds it without.
 * @returns {import('esbuild').Plugin}
 */
const nextFiles = () => ({
  name: 'next-files',
  setup(build) {
    build.onResolve({ filter: /^next\/\w+$/ }, ({ path }) => ({ path: `${path}.js`, external: true }))
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
    // Node reads the maps when it starts; the sources' text in them would cost 20 MB of memory.
    sourcesContent: false,
    plugins: [sourcePlaces(), nextFiles()],
    logLevel: 'silent',
  })
  copyWhatIsRead(folder)
  markMade(folder)
  removeUnused(folder)
}

/**
 * Runs a program in this process; stack traces refer to the lines of its sources.
 * @param {string} folder as buildPrograms resolved with it
 * @param {import('../programs.mjs').ProgramName} name
 */
export function importProgram(folder, name) {
  process.setSourceMapsEnabled(true)
  return import(pathToFileURL(resolve(folder, `${name}.mjs`)).href)
}

if (isMain(import.meta.url)) await buildPrograms()
