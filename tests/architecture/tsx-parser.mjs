/** Loaded before dependency-cruiser: its swc parser does not accept JSX unless told to, and would stop at the first page. */
import { createRequire } from 'node:module'

const swc = createRequire(import.meta.url)('@swc/core')

/** As JSX first; what then makes no sense (a cast in angle brackets) as plain TypeScript. */
for (const name of ['parseSync', 'parseFileSync']) {
  const parse = swc[name]
  swc[name] = (/** @type {string} */ source, /** @type {object} */ options) => {
    try {
      return parse(source, { ...options, tsx: true })
    } catch {
      return parse(source, options)
    }
  }
}
