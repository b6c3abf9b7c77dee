/** `npm run service`: the bundled service alone, from a bare clone. */
import { importProgram } from './programs.mjs'
import { makeReady } from './ready.mjs'

await makeReady({ portal: false })
await importProgram('service-main')
