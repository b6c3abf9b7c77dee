/** Part of `npm run check`: all shell scripts, by Debian's shellcheck. */
import { spawnSync } from 'node:child_process'
import { installMissing, packages } from './packages.mjs'
import { checkScripts, listScripts } from './shell-scripts'

const missing = spawnSync('shellcheck', ['--version']).error === undefined ? null : installMissing(packages.check)
if (missing !== null) {
  process.stderr.write(`shellcheck is missing: ${missing}\n`)
  process.exit(1)
}
const remarks = await checkScripts(listScripts())
for (const { file, line, column, level, code, message } of remarks) {
  process.stderr.write(`${file}:${line}:${column}: ${level}: ${message} [SC${code}]\n`)
}
process.exitCode = remarks.length > 0 ? 1 : 0
