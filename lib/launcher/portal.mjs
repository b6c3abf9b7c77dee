/** `npm run portal`: the portal alone, next to a service that somebody else starts. */
import { makeReady } from './ready.mjs'

makeReady({ portal: true })
const { register } = await import('tsx/esm/api')
register()
const { startPortalAlone } = await import('./start.ts')
await startPortalAlone()
