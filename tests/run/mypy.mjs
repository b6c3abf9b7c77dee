/** Part of `npm run check`: the types of the host program and its tests, by Debian's mypy. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { installMissing, packages } from './packages.mjs'

const program = '/usr/bin/mypy'
const missing = existsSync(program) ? null : installMissing(packages.check)
if (missing !== null) {
  process.stderr.write(`mypy is missing: ${missing}\n`)
  process.exit(1)
}
// 3.10 is the oldest Python of servers. Debian has no types for jsonschema, which only tests use.
const strict = [
  '--strict',
  '--python-version=3.10',
  '--ignore-missing-imports',
  '--no-error-summary',
  '--cache-dir=node_modules/.cache/mypy',
]
const { status } = spawnSync(program, [...strict, 'host', 'tests/host-program'], {
  stdio: ['ignore', 'inherit', 'inherit'],
  env: { ...process.env, MYPYPATH: 'host:tests/host-program' },
})
process.exitCode = status === 0 ? 0 : 1
