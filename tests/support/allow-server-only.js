// Lets a plain Node process load the portal's modules: the marker package refuses outside a server build, and its own
// way out (the condition react-server) takes away what Next's modules need.
import { register } from 'node:module'

const hook = `export async function resolve(specifier, context, next) {
  return specifier === 'server-only' ? { url: 'data:text/javascript,', shortCircuit: true } : next(specifier, context)
}`

register(`data:text/javascript,${encodeURIComponent(hook)}`)
