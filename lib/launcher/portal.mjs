/** `npm run portal`: the portal alone, next to a service that was started separately. */
import { importProgram } from './programs.mjs'
import { makeReady } from './ready.mjs'

const made = await makeReady({ portal: true })
/** @type {typeof import('./start.ts')} */
const { startPortalAlone } = await importProgram(made.programs, 'launcher-start')
await startPortalAlone(made)
