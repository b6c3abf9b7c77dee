/** `npm run up`: from a bare clone to a running Gatehouse. */
import { makeReady } from './ready.mjs'

makeReady({ portal: true })
const { register } = await import('tsx/esm/api')
register()
const { start } = await import('./start.ts')
await start()
