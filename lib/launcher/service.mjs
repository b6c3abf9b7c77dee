/** `npm run service`: the bundled service alone, from a bare clone. */
import { makeReady } from './ready.mjs'

makeReady({ portal: false })
const { register } = await import('tsx/esm/api')
register()
await import('../service/main.ts')
