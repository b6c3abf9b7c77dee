/** Which files of the project and of its dependencies a release needs: what portal and service import, as Next's own tracing finds it. */
import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'

/** Tracing does not see what these load by a name that they compute. */
const whole = [
  'next/dist/compiled/webpack',
  'next/dist/compiled/@babel/runtime',
  '@photostructure/sqlite',
  '@node-rs/argon2',
  '@node-rs/argon2-linux-x64-gnu',
  '@prisma/schema-engine-wasm',
]

/** Only builds and development use these; Next excludes most of them from its own traces. */
const neverLoaded = [
  'node_modules/next/dist/docs/**',
  'node_modules/next/dist/compiled/{babel,babel-packages,@babel,terser,cssnano-simple,sass-loader,css-loader,@vercel/nft}/**',
  'node_modules/next/dist/compiled/**/*.dev.*',
  'node_modules/{typescript,esbuild,sharp,@img,@next/swc*}/**',
]

/** Left out of what is copied: source maps, types, documents, and binaries for other platforms. */
const needless = [
  /\.map$/,
  /\.d\.[cm]?ts$/,
  /\.tsbuildinfo$/,
  /\.nft\.json$/,
  /^node_modules\/(@img|sharp)\//,
  /^node_modules\/next\/dist\/docs\//,
  /\/(README|CHANGELOG|HISTORY|CONTRIBUTING)(\.\w+)*$/i,
  /^node_modules\/@photostructure\/sqlite\/(src\/|binding\.gyp$)/,
  /\/prebuilds\/(?!linux-x64\/)/,
  /\/prebuilds\/linux-x64\/.*musl/,
  // What a portal that was started from the build has kept in it.
  /^\.next-builds\/\w+\/server\/route-cache\//,
]

/** Parts of a build that only the building needs. */
const needlessParts = ['build', 'cache', 'diagnostics', 'trace', 'trace-build', 'turbopack', 'types']

/** The command, and what it imports before any program. */
export const commandFiles = [
  'lib/release/command.mjs',
  'lib/commands.mjs',
  'lib/exit-codes.mjs',
  'lib/launcher/command-line.mjs',
  'lib/launcher/run-program.mjs',
  'lib/launcher/nearest.mjs',
  'lib/launcher/settings-file.mjs',
  'lib/launcher/environment-file.mjs',
]

const isNeeded = (/** @type {string} */ file) => !needless.some((pattern) => pattern.test(file))

/** @param {string} folder @returns {string[]} its files and symbolic links, with the folder's path */
export function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort()
}

/** @param {string} programs folder @returns {Promise<string[]>} files of node_modules that the programs import */
async function traceOfPrograms(programs) {
  const { nodeFileTrace } = createRequire(join(process.cwd(), 'package.json'))('next/dist/compiled/@vercel/nft')
  const entries = readdirSync(programs).filter((name) => name.endsWith('.mjs'))
  /** @type {{ fileList: Set<string> }} */
  const { fileList } = await nodeFileTrace(
    entries.map((name) => join(programs, name)),
    { base: process.cwd(), conditions: ['react-server', 'node', 'import', 'require'], mixedModules: true, ignore: neverLoaded },
  )
  return [...fileList]
}

/** @param {string} build folder @returns {string[]} files of node_modules that Next found its server and the pages to need */
function tracesOfBuild(build) {
  return filesBelow(build)
    .filter((file) => file.endsWith('.nft.json'))
    .flatMap((file) => {
      /** @type {{ files: string[] }} */
      const { files } = JSON.parse(readFileSync(file, 'utf8'))
      return files.map((name) => relative('.', resolve(dirname(file), name)))
    })
}

/**
 * Paths within the project, sorted; some are symbolic links.
 * @param {import('../launcher/ready.mjs').Made} made @returns {Promise<string[]>}
 */
export async function listContents({ programs, build }) {
  const parts = readdirSync(build)
    .filter((name) => !needlessParts.includes(name))
    .map((name) => join(build, name))
  const built = parts.flatMap((part) => (lstatSync(part).isDirectory() ? filesBelow(part) : [part]))
  const traced = [...(await traceOfPrograms(programs)), ...tracesOfBuild(build)].filter((file) => file.startsWith('node_modules/'))
  const packages = whole.flatMap((name) => filesBelow(join('node_modules', name)))
  const all = [...built, ...filesBelow(programs), ...traced, ...packages, 'next.config.js', 'LICENSE']
  return [...new Set(all)].filter(isNeeded).sort()
}
