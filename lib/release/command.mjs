/** `gatehouse COMMAND` in a release: starts what the release has, and makes nothing. */
import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

/** @typedef {{ version: string, commit: string, node: string, programs: string, build: string }} Release release.json; the last two are folders */

/** @type {Release} */
const release = JSON.parse(readFileSync(resolve(root, 'release.json'), 'utf8'))

/** @param {string} name of a program */
const importProgram = (name) => import(pathToFileURL(resolve(root, release.programs, `${name}.mjs`)).href)

/** @returns {Promise<typeof import('../launcher/start.ts')>} */
const importStart = () => importProgram('launcher-start')

/** @type {Record<string, { does: string, run: () => unknown }>} */
const commands = {
  up: { does: 'start the portal and the service', run: async () => (await importStart()).start(release) },
  portal: { does: 'start the portal alone', run: async () => (await importStart()).startPortalAlone(release) },
  service: { does: 'start the service alone', run: () => importProgram('service-main') },
  version: {
    does: 'print the version',
    run: () => process.stdout.write(`${release.version} (commit ${release.commit}, Node ${process.versions.node})\n`),
  },
}

const usage = () => Object.entries(commands).map(([name, { does }]) => `  gatehouse ${name.padEnd(8)} ${does}\n`)

const [name = '', ...rest] = process.argv.slice(2)
const command = Object.hasOwn(commands, name) && rest.length === 0 ? commands[name] : undefined
if (command === undefined) {
  const isAsked = name === '--help' || name === 'help'
  const stream = isAsked ? process.stdout : process.stderr
  stream.write(`Usage:\n${usage().join('')}`)
  process.exitCode = isAsked ? 0 : 2
} else {
  // Relative folders of settings are within the release, as they are within a clone.
  process.chdir(root)
  await command.run()
}
