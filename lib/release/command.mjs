/** `gatehouse COMMAND` in a release: starts what the release has, and makes nothing. Takes its arguments as lib/launcher/gatehouse.mjs does. */
import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { commands, usageOf } from '../commands.mjs'
import { wrongUse } from '../exit-codes.mjs'
import { prepareSettings, splitSettings } from '../launcher/settings-file.mjs'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

/** @typedef {{ version: string, commit: string, node: string, programs: string, build: string }} Release release.json; the last two are folders */

/** @type {Release} */
const release = JSON.parse(readFileSync(resolve(root, 'release.json'), 'utf8'))

/** @param {string} name of a program */
const importProgram = (name) => import(pathToFileURL(resolve(root, release.programs, `${name}.mjs`)).href)

/** @returns {Promise<typeof import('../launcher/start.ts')>} */
const importStart = () => importProgram('launcher-start')

/** Those of lib/commands.mjs that a release has so far. */
const run = {
  up: async () => (await importStart()).start(release),
  portal: async () => (await importStart()).startPortalAlone(release),
  service: () => importProgram('service-main'),
  version: printVersion,
}

/** @typedef {keyof typeof run} CommandName */

/** @param {boolean} [asJson] */
function printVersion(asJson = false) {
  const { version, commit } = release
  const node = process.version
  process.stdout.write(
    asJson ? `${JSON.stringify({ version, node, commit })}\n` : `Gatehouse ${version} (commit ${commit}), Node ${node}\n`,
  )
}

/** @param {string} text */
function refuse(text) {
  process.stderr.write(`${text}\n`)
  process.exitCode = wrongUse
}

/** @param {string} name @returns {name is CommandName} */
const isCommand = (name) => Object.hasOwn(run, name)

function overview() {
  const names = /** @type {CommandName[]} */ (Object.keys(run))
  const lines = names.map((name) => `  gatehouse ${name.padEnd(8)} ${commands[name].does}`)
  return `Usage:\n${lines.join('\n')}\n\ngatehouse COMMAND --settings FILE takes the settings from a file, like the variable GATEHOUSE_SETTINGS.\ngatehouse COMMAND --help shows how a command is used.`
}

/** @param {readonly string[]} given */
async function main(given) {
  const split = splitSettings(given, process.cwd())
  if (split === null) return refuse('Usage: gatehouse COMMAND --settings FILE')
  const [name, ...args] = split.words
  if (name === undefined) return refuse(overview())
  if (name === '--help' || name === '-h' || name === 'help') return process.stdout.write(`${overview()}\n`)
  if (!isCommand(name)) return refuse(overview())
  if (args.some((arg) => arg === '--help' || arg === '-h')) {
    return process.stdout.write(`${usageOf(name)}\n\nTo ${commands[name].does}.\n`)
  }
  if (name === 'version' && args.length === 1 && args[0] === '--json') return printVersion(true)
  if (args.length > 0) return refuse(usageOf(name))
  if (name !== 'version' && split.file !== undefined && !prepareSettings(split.file)) return undefined
  // Relative folders of settings are within the release, as they are within a clone.
  process.chdir(root)
  await run[name]()
}

await main(process.argv.slice(2))
