/** Takes the settings of a file into the environment: `--settings FILE`, or the variable GATEHOUSE_SETTINGS. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { configurationError } from '../exit-codes.mjs'
import { parseEnvironmentFile } from './environment-file.mjs'

/** Names the file for the processes that this one starts. */
export const settingsVariable = 'GATEHOUSE_SETTINGS'

/**
 * Variables that are set already stay, also empty ones.
 * @param {string} file
 * @param {NodeJS.ProcessEnv} env changed
 * @returns {string[]} one sentence for each line that is ignored
 */
function takeSettings(file, env) {
  const { assignments, faults } = parseEnvironmentFile(readSettingsFile(file))
  const given = new Set(Object.keys(env))
  for (const { name, value } of assignments) if (!given.has(name)) env[name] = value
  env[settingsVariable] = file
  return faults.map(({ line, message }) => `${file}, line ${line}: ${message}`)
}

/** Throws with one line for the operator. @param {string} file */
export function readSettingsFile(file) {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readFileSync(file))
    if (!text.includes('\0')) return text
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error)
    if (code !== 'ERR_ENCODING_INVALID_ENCODED_DATA') throw new Error(`The settings file ${file} cannot be read (${code}).`)
  }
  throw new Error(`The settings file ${file} is not text in UTF-8.`)
}

/**
 * `--settings FILE` before or after the command, which wins over the variable.
 * @param {readonly string[]} given arguments @param {NodeJS.ProcessEnv} env
 * @param {string} calledFrom the folder that a relative FILE is meant from
 * @returns {{ words: string[], file: string | undefined } | null} words: the other arguments. file: its whole path. null: the option without a file
 */
export function splitSettings(given, env, calledFrom) {
  /** @type {string[]} */
  const words = []
  let file = env[settingsVariable] || undefined
  for (let place = 0; place < given.length; place++) {
    const word = given[place] ?? ''
    if (word !== '--settings' && !word.startsWith('--settings=')) {
      words.push(word)
      continue
    }
    file = word === '--settings' ? given[++place] : word.slice('--settings='.length)
    if (!file) return null
  }
  return { words, file: file === undefined ? undefined : resolve(calledFrom, file) }
}

/** Takes the settings into this process's environment and tells what is ignored. False if the file cannot be used, which is told. @param {string} file */
export function prepareSettings(file) {
  try {
    for (const sentence of takeSettings(file, process.env)) process.stderr.write(`${sentence}\n`)
    return true
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = configurationError
    return false
  }
}
