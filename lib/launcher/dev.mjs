/** `npm run dev`: like `npm run up` but without a build: pages refresh and the service restarts when a source file changes. */
import './take-settings.mjs'
import { importProgram } from './programs.mjs'
import { makeReady } from './ready.mjs'

const made = await makeReady({ portal: false })
/** @type {typeof import('./start.ts')} */
const { startWatched } = await importProgram(made.programs, 'launcher-start')
await startWatched(made)
