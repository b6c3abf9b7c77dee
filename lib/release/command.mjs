/** `gatehouse COMMAND` in a release: starts what the release has, and makes nothing. */
import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { runCommandLine } from '../launcher/command-line.mjs'

/** Where the command was called, which relative paths of its arguments are meant from. */
const calledFrom = process.cwd()

/** Whether an upgrade started this process, in place of one that continues: lib/launcher/hand-over.ts. */
const isSuccessor = process.env.GATEHOUSE_SUCCESSOR !== undefined

// They are for this process alone.
for (const name of ['GATEHOUSE_SUCCESSOR', 'GATEHOUSE_RECOVERED']) delete process.env[name]

/** Before settings are taken into it: after an upgrade the next version takes its own. */
const givenEnvironment = { ...process.env }

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

/** @typedef {{ version: string, commit: string, node: string, programs: string, build: string }} Release release.json; the last two are folders */

/** @type {Release} */
const release = JSON.parse(readFileSync(resolve(root, 'release.json'), 'utf8'))

/** @param {import('../programs.mjs').ProgramName} name */
const pathOf = (name) => resolve(root, release.programs, `${name}.mjs`)

/** @param {import('../programs.mjs').ProgramName} name */
const importProgram = (name) => import(pathToFileURL(pathOf(name)).href)

const folder = dirname(dirname(root))

/** Whether ROOT/current leads to a release in ROOT/releases: only there can an upgrade switch. */
const isInstalled = basename(dirname(root)) === 'releases' && existsSync(resolve(folder, 'current'))

/** A successor takes no orders; its parent does. */
const installed = isInstalled && !isSuccessor ? { root: folder, env: givenEnvironment } : null

/** @param {'runUpgrade' | 'runRollback'} name @param {readonly string[]} args */
async function move(name, args) {
  /** @type {typeof import('../upgrade/command.ts')} */
  const program = await importProgram('upgrade')
  await program[name]({ release: root, env: process.env, calledFrom, args })
}

/** @param {import('../launcher/command-line.mjs').Start} name */
async function start(name) {
  if (name === 'service') return importProgram('service-main')
  /** @type {typeof import('../launcher/start.ts')} */
  const { startRelease, startReleasedPortal } = await importProgram('launcher-start')
  const described = { ...release, installed }
  return name === 'up' ? startRelease(described) : startReleasedPortal(described)
}

await runCommandLine(process.argv.slice(2), {
  root,
  calledFrom,
  start,
  upgrade: (args) => move('runUpgrade', args),
  rollBack: isInstalled ? (args) => move('runRollback', args) : null,
  nodeArguments: (name) => ['--conditions=react-server', pathOf(name)],
  readVersion: () => release,
})
