/** `gatehouse COMMAND`, in a clone and in a release: which command runs, and how one that does not exist or is used wrongly is refused. */
import { resolve } from 'node:path'
import { commands, usageOf } from '../commands.mjs'
import { wrongUse } from '../exit-codes.mjs'
import { findNearest } from './nearest.mjs'
import { runProgram } from './run-program.mjs'
import { prepareSettings, settingsVariable, splitSettings } from './settings-file.mjs'

/** @typedef {import('../commands.mjs').CommandName} CommandName */
/** @typedef {import('../programs.mjs').ProgramName} ProgramName */
/** @typedef {(args: readonly string[]) => unknown} Move to another release */
/** @typedef {'up' | 'portal' | 'service'} Start the commands that run in this process */

/**
 * What differs between a clone and a release. root: the folder that relative folders of settings are meant from. calledFrom: the folder that those of
 * arguments are meant from. upgrade: null in a clone. rollBack: to the release of before; null where none is installed. nodeArguments: what Node runs a program with.
 * @typedef {{
 *   root: string
 *   calledFrom: string
 *   start: (name: Start) => unknown
 *   upgrade: Move | null
 *   rollBack: Move | null
 *   nodeArguments: (program: ProgramName) => readonly string[]
 *   readVersion: () => { version: string, commit?: string }
 * }} Installation
 */

/** @typedef {(args: readonly string[], installation: Installation) => unknown} Run */

/** @type {Record<CommandName, Run>} */
const run = {
  up: start('up'),
  portal: start('portal'),
  service: start('service'),
  owner: program('portal-owner'),
  setup: (args, installation) => program('portal-setup')(fromCaller(args, installation), installation),
  users: program('portal-users'),
  keys: (args, installation) =>
    args.includes('--service')
      ? program('service-keys')(
          args.filter((arg) => arg !== '--service'),
          installation,
        )
      : program('portal-keys')(args, installation),
  backup: ([what, ...args], installation) =>
    what === 'verify'
      ? program('backup-verify')(fromCaller(args, installation), installation)
      : copy('backup')(what === undefined ? args : [what, ...args], installation),
  restore: copy('restore'),
  upgrade: (args, { upgrade }) =>
    upgrade === null ? refuse('A clone is upgraded by git: docs/running.md. gatehouse upgrade is for installed releases.') : upgrade(args),
  rollback: (args, installation) =>
    installation.rollBack === null || args[0] === 'portal' || args[0] === 'service'
      ? program('rollback')(args, installation)
      : installation.rollBack(args),
  prune: async (args, installation) => {
    if (args.length > 0) return refuse(usageOf('prune'))
    await program('portal-prune')(args, installation)
    if (process.exitCode === 0) await program('service-prune')(args, installation)
  },
  migrate: program('launcher-migrate'),
  'move-to-postgresql': program('move-to-postgresql'),
  config: program('launcher-config'),
  version: printVersion,
}

/** @param {ProgramName} name @returns {Run} */
function program(name) {
  return (args, { nodeArguments }) => runProgram([...nodeArguments(name), ...args])
}

/** @param {Start} name @returns {Run} */
function start(name) {
  return (args, installation) => (args.length > 0 ? refuse(usageOf(name)) : installation.start(name))
}

/** @param {'backup' | 'restore'} command @returns {Run} */
function copy(command) {
  return (args, installation) => program('backup')([command, ...fromCaller(args, installation)], installation)
}

/** Of arguments that are paths and options; `--keys=FOLDER` too. `-` is standard input. @param {readonly string[]} args @param {Installation} installation */
function fromCaller(args, { calledFrom }) {
  return args.map((arg) => {
    const [, option = '', path = ''] = /^(--(?:keys|identity|password)=|)(.*)$/s.exec(arg) ?? []
    return arg === '-' || isAddress(arg) || (arg.startsWith('--') && option === '') ? arg : `${option}${resolve(calledFrom, path)}`
  })
}

/** @param {string} arg */
const isAddress = (arg) => /^postgres(ql)?:\/\//.test(arg)

/** @param {readonly string[]} args @param {Installation} installation */
function printVersion(args, { readVersion }) {
  if (args.length > 1 || (args.length === 1 && args[0] !== '--json')) return refuse(usageOf('version'))
  const { version, commit } = readVersion()
  const node = process.version
  const of = commit === undefined ? '' : ` (commit ${commit})`
  process.stdout.write(args.length > 0 ? `${JSON.stringify({ version, node, commit })}\n` : `Gatehouse ${version}${of}, Node ${node}\n`)
}

/** @param {string} text */
function refuse(text) {
  process.stderr.write(`${text}\n`)
  process.exitCode = wrongUse
}

/** @param {string} name @returns {name is CommandName} */
function isCommand(name) {
  return Object.hasOwn(commands, name)
}

function overview() {
  const lines = Object.entries(commands).map(([name, { does }]) => `  ${name.padEnd(9)} ${does}`)
  return `Usage: gatehouse COMMAND …\n\n${lines.join('\n')}\n\ngatehouse COMMAND --settings FILE takes the settings from a file, like the variable GATEHOUSE_SETTINGS.\ngatehouse COMMAND --help shows how a command is used. docs/running.md has the settings and exit codes.`
}

/** Sets the exit code of this process. @param {readonly string[]} given the arguments @param {Installation} installation */
export async function runCommandLine(given, installation) {
  const split = splitSettings(given, installation.calledFrom)
  process.chdir(installation.root)
  if (split === null) return refuse('Usage: gatehouse COMMAND --settings FILE')
  const [name, ...args] = split.words
  if (name === undefined) return refuse(overview())
  if (name === '--help' || name === '-h' || name === 'help') return process.stdout.write(`${overview()}\n`)
  if (name === '--version') return printVersion(args, installation)
  if (!isCommand(name)) {
    const near = findNearest(name, Object.keys(commands))
    return refuse(
      `gatehouse has no command ${JSON.stringify(name)}.${near === null ? '' : ` Did you mean ${near}?`} gatehouse --help lists them.`,
    )
  }
  if (args.some((arg) => arg === '--help' || arg === '-h')) {
    return process.stdout.write(`${usageOf(name)}\n\nTo ${commands[name].does}.\n`)
  }
  if (split.file !== undefined) {
    process.env[settingsVariable] = split.file
    // The check of the settings reads the file too.
    if (name !== 'config' && name !== 'version' && !prepareSettings(split.file)) return undefined
  }
  await run[name](args, installation)
}
