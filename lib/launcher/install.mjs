/** Installs the dependencies from the lockfile if the installed ones do not match it. */
import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { announce } from './announce.mjs'
import { withProjectLock } from './lock.mjs'
import { findSilentRegistry } from './registry.mjs'
import { runTool } from './tool.mjs'

const stamp = 'node_modules/.gatehouse-lock'

/** npm installs into this folder, so that the present dependencies stay complete until the new ones are. */
const aside = '.install'

/** Retries, because an npm that is being killed may still write into it. */
const clear = () => rmSync(aside, { recursive: true, force: true, maxRetries: 10 })

const hashLockfile = () => createHash('sha256').update(readFileSync('package-lock.json')).digest('hex')

/** The stamp has the hash of the lockfile that the present dependencies were installed from. */
const isInstalled = () => existsSync(stamp) && readFileSync(stamp, 'utf8') === hashLockfile()

/** Resolves when the dependencies are installed. Rejects with npm's own output, or with one line if its registry does not respond. */
export async function installDependencies() {
  if (isInstalled()) return
  await withProjectLock(async () => {
    if (isInstalled()) return
    await announce('Installing the dependencies', 'Installed the dependencies', installAside)
  })
}

async function installAside() {
  const hash = hashLockfile()
  clear()
  mkdirSync(aside)
  for (const file of ['package.json', 'package-lock.json', '.npmrc']) if (existsSync(file)) copyFileSync(file, join(aside, file))
  await runNpm(aside)
  mkdirSync(join(aside, 'node_modules'), { recursive: true })
  writeFileSync(join(aside, stamp), hash)
  if (existsSync('node_modules')) renameSync('node_modules', join(aside, 'replaced'))
  renameSync(join(aside, 'node_modules'), 'node_modules')
  clear()
}

/** Installs what the lockfile in this folder says. Rejects as installDependencies does. @param {string} folder */
export async function runNpm(folder) {
  const unreachable = new AbortController()
  const installed = new AbortController()
  const watching = findSilentRegistry(installed.signal).then((found) => {
    if (found !== null) unreachable.abort()
    return found
  })
  const { code, output } = await ci(folder, [], unreachable.signal)
  installed.abort()
  if (code === 0) return
  const silent = await watching
  if (silent === null) throw new Error(`npm ci failed:\n${output}`)
  process.stdout.write(`${silent}. Installing from npm's cache …\n`)
  if ((await ci(folder, ['--offline'])).code === 0) return
  throw new Error(
    `${silent}, and npm's cache does not hold all the dependencies. Check the network and npm's registry and proxy settings, then run the command again.`,
  )
}

/** @param {string} cwd @param {readonly string[]} more @param {AbortSignal} [signal] */
const ci = (cwd, more, signal) => runTool(['npm', 'ci', '--ignore-scripts', ...more], { cwd, ...(signal && { signal }) })
