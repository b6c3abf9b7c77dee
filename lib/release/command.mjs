/** `gatehouse COMMAND` in a release: starts what the release has, and makes nothing. */
import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { runCommandLine } from '../launcher/command-line.mjs'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

/** @typedef {{ version: string, commit: string, node: string, programs: string, build: string }} Release release.json; the last two are folders */

/** @type {Release} */
const release = JSON.parse(readFileSync(resolve(root, 'release.json'), 'utf8'))

/** @param {import('../programs.mjs').ProgramName} name */
const pathOf = (name) => resolve(root, release.programs, `${name}.mjs`)

/** @param {import('../programs.mjs').ProgramName} name */
const importProgram = (name) => import(pathToFileURL(pathOf(name)).href)

/** @param {import('../launcher/command-line.mjs').Start} name */
async function start(name) {
  if (name === 'service') return importProgram('service-main')
  /** @type {typeof import('../launcher/start.ts')} */
  const { start: startBoth, startPortalAlone } = await importProgram('launcher-start')
  return (name === 'up' ? startBoth : startPortalAlone)(release)
}

await runCommandLine(process.argv.slice(2), {
  root,
  calledFrom: process.cwd(),
  start,
  nodeArguments: (name) => ['--conditions=react-server', pathOf(name)],
  readVersion: () => release,
})
