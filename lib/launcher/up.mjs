/** `npm run up`: from a bare clone to a running Gatehouse. Plain JavaScript, since nothing is installed when it begins. */
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildPortal } from './build.mjs'
import { generateClients } from './generate.mjs'
import { installDependencies } from './install.mjs'
import { buildPrograms } from './programs.mjs'

process.chdir(dirname(dirname(dirname(fileURLToPath(import.meta.url)))))
const say = (/** @type {string} */ line) => process.stdout.write(`${line}\n`)

try {
  const major = Number(process.versions.node.split('.')[0])
  if (major < 20) throw new Error('Gatehouse needs Node 20.19 or newer; 22 or 24 for production.')
  if (major < 22) say('Node 20 no longer gets security fixes. Gatehouse runs on it; use Node 22 or 24 for production.')
  if (!existsSync('node_modules')) say('Installing the dependencies, about a minute …')
  installDependencies()
  generateClients()
  if (!existsSync('.next/sources')) say('Building the portal, about a minute …')
  buildPortal()
  await buildPrograms()
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}
process.setSourceMapsEnabled(true)
/** @type {typeof import('./start.ts')} */
const { start } = await import(new URL('../../.programs/launcher-start.mjs', import.meta.url).href)
await start()
