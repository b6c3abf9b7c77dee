/**
 * On which version of Node a run takes the unit tests: the oldest that Gatehouse supports, and the newest of those recommended for production, in
 * turns. npm's packages bring them. docs/decisions/063-no-version-of-node-decides.md
 */
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { announce } from '../../lib/launcher/announce.mjs'
import { runTool } from '../../lib/launcher/tool.mjs'
import { readClock } from './rotation.mjs'

export const nodeVersions = ['20.19.0', '22.23.3', '24.21.0']

/** The versions whose turn it is at a moment, and those of the next ones. @param {import('./rotation.mjs').Clock} clock */
export function orderOfVersions({ count, perStep }) {
  const first = Math.floor(count / perStep) % nodeVersions.length
  return [...nodeVersions.slice(first), ...nodeVersions.slice(0, first)]
}

/** After how many submissions of the usual size a version has its turn for sure. @param {import('./rotation.mjs').Clock} clock @param {number} place */
const submissionsTo = ({ count, perStep, perSubmission }, place) =>
  Math.ceil((place * perStep - (count % perStep) + perStep) / perSubmission)

/** @typedef {{ versions: readonly string[], noTurn: readonly string[] }} NodeTurns noTurn: a line for each other version */

/**
 * A soak takes all. TEST_NODE names one: 20, 22 or 24.
 * @param {import('./rotation.mjs').Clock} clock @param {Record<string, string | undefined>} environment
 * @returns {NodeTurns}
 */
export function planNodes(clock = readClock(), { SEEDS = '', TEST_NODE = '' } = process.env) {
  if (Number(SEEDS) >= 1) return { versions: nodeVersions, noTurn: [] }
  const named = nodeVersions.find((version) => version.split('.')[0] === TEST_NODE)
  const [version = '', ...others] = named === undefined ? orderOfVersions(clock) : [named, ...nodeVersions.filter((one) => one !== named)]
  const noTurn = others.map(
    (one) => `unit tests on Node ${one} (within ${submissionsTo(clock, orderOfVersions(clock).indexOf(one))} submissions)`,
  )
  return { versions: [version], noTurn }
}

/**
 * Installs a version unless it is here, beside the project's dependencies. Resolves with its program, or with why it cannot be had.
 * @param {string} version @returns {Promise<{ program: string } | { missing: string }>}
 */
export async function findNode(version) {
  if (process.version === `v${version}`) return { program: process.execPath }
  const [folder, name] = [`.nodes/${version}`, `node-${process.platform}-${process.arch}`]
  const program = resolve(folder, 'node_modules', name, 'bin/node')
  if (existsSync(program)) return { program }
  const command = ['npm', 'install', '--prefix', folder, '--no-save', '--no-package-lock', '--ignore-scripts', `${name}@${version}`]
  const { code, output } = await announce(`Installing Node ${version}`, `Installed Node ${version}`, () => runTool(command))
  if (code === 0 && existsSync(program)) return { program }
  return { missing: `Node ${version} could not be installed: ${output.trim().split('\n').at(-1) ?? ''}` }
}

/** The environment in which `node` is that program, for tests that start programs by name. @param {string} program */
export const environmentOf = (program) => ({ PATH: `${join(program, '..')}:${process.env.PATH}` })
