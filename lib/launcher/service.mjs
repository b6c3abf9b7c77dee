/** `npm run service`: the bundled service alone, from a fresh clone. */
import { importProgram } from './programs.mjs'
import { makeReady } from './ready.mjs'

const { programs } = await makeReady({ portal: false })
await importProgram(programs, 'service-main')
