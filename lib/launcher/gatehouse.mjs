/** `./gatehouse COMMAND` in a clone, and what the npm scripts of the same names run. Plain JavaScript, because it runs before anything is installed. */
import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { programs } from '../programs.mjs'
import { findCaller } from './caller.mjs'
import { runCommandLine } from './command-line.mjs'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

await runCommandLine(process.argv.slice(2), {
  root,
  calledFrom: findCaller(root),
  start: (name) => import(`./${name}.mjs`),
  upgrade: null,
  rollBack: null,
  nodeArguments: (name) => ['--conditions=react-server', '--import', './lib/launcher/require-ready.mjs', '--import', 'tsx', programs[name]],
  readVersion: () => ({ version: JSON.parse(readFileSync(resolve(root, 'package.json'), 'utf8')).version }),
})
