/** `./gatehouse COMMAND`, and what the npm scripts of the same names run. Plain JavaScript, because it runs before anything is installed. */
import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { commands, usageOf } from '../commands.mjs'
import { wrongUse } from '../exit-codes.mjs'
import { findNearest } from './nearest.mjs'
import { runProgram } from './run-program.mjs'
import { prepareSettings, settingsVariable, splitSettings } from './settings-file.mjs'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

/**
 * Where the command was called, which relative folders of its arguments are meant from. npm names it and runs scripts in Gatehouse's folder; elsewhere
 * the variable is inherited from the npm of something else.
 */
const calledFrom = (process.cwd() === root && process.env.INIT_CWD) || process.cwd()

/** @typedef {import('../commands.mjs').CommandName} CommandName */

/** @type {Record<CommandName, (args: readonly string[]) => unknown>} */
const run = {
  up: (args) => start('up', args),
  portal: (args) => start('portal', args),
  service: (args) => start('service', args),
  owner: (args) => runProgram('lib/portal/entry/owner.ts', args),
  users: (args) => runProgram('lib/portal/entry/users.ts', args),
  keys: (args) =>
    args.includes('--service')
      ? runProgram(
          'lib/service/keys.ts',
          args.filter((arg) => arg !== '--service'),
        )
      : runProgram('lib/portal/entry/keys.ts', args),
  backup: (args) => runProgram('lib/backup/command.ts', ['backup', ...args.map(fromCaller)]),
  restore: (args) => runProgram('lib/backup/command.ts', ['restore', ...args.map(fromCaller)]),
  rollback: (args) => runProgram('lib/rollback/command.ts', args),
  config: (args) => runProgram('lib/launcher/config-check.ts', args),
  version: printVersion,
}

/** @param {string} arg a folder, or an option; `--keys=FOLDER` too */
function fromCaller(arg) {
  const [, option = '', folder = ''] = /^(--keys=|)(.*)$/s.exec(arg) ?? []
  return arg.startsWith('--') && option === '' ? arg : `${option}${resolve(calledFrom, folder)}`
}

/** @param {'up' | 'portal' | 'service'} name @param {readonly string[]} args */
async function start(name, args) {
  if (args.length > 0) return refuse(usageOf(name))
  await import(`./${name}.mjs`)
}

/** @param {readonly string[]} args */
function printVersion(args) {
  if (args.length > 1 || (args.length === 1 && args[0] !== '--json')) return refuse(usageOf('version'))
  /** @type {{ version: string }} */
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
  const node = process.version
  process.stdout.write(args.length > 0 ? `${JSON.stringify({ version, node })}\n` : `Gatehouse ${version}, Node ${node}\n`)
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

/** @param {string[]} given */
async function main(given) {
  process.chdir(root)
  const split = splitSettings(given, calledFrom)
  if (split === null) return refuse('Usage: gatehouse COMMAND --settings FILE')
  const [name, ...args] = split.words
  if (name === undefined) return refuse(overview())
  if (name === '--help' || name === '-h' || name === 'help') return process.stdout.write(`${overview()}\n`)
  if (name === '--version') return printVersion(args)
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
  await run[name](args)
}

await main(process.argv.slice(2))
