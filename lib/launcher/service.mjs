/** `npm run service`: the bundled service alone, from a bare clone. */
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { generateClients } from './generate.mjs'
import { installDependencies } from './install.mjs'
import { buildPrograms } from './programs.mjs'

process.chdir(dirname(dirname(dirname(fileURLToPath(import.meta.url)))))
try {
  installDependencies()
  generateClients()
  await buildPrograms()
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}
process.setSourceMapsEnabled(true)
await import(new URL('../../.programs/service-main.mjs', import.meta.url).href)
