/** `npm run up`: from a fresh clone to a running Gatehouse. */
import { importProgram } from './programs.mjs'
import { makeReady } from './ready.mjs'

const made = await makeReady({ portal: true })
/** @type {typeof import('./start.ts')} */
const { start } = await importProgram(made.programs, 'launcher-start')
await start(made)
