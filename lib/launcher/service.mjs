/** `npm run service`: the bundled service alone, from a bare clone. */
import { generateClients } from './generate.mjs'
import { installDependencies } from './install.mjs'

try {
  installDependencies()
  generateClients()
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}
const { register } = await import('tsx/esm/api')
register()
await import('../service/main.ts')
