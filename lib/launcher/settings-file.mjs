/** Takes the settings of a file into the environment: `--settings FILE`, or the variable GATEHOUSE_SETTINGS. */
import { readFileSync } from 'node:fs'
import { parseEnvironmentFile } from './environment-file.mjs'

/** Names the file for the processes that this one starts. */
export const settingsVariable = 'GATEHOUSE_SETTINGS'

/**
 * Variables that are set already stay, also empty ones.
 * @param {string} file
 * @param {NodeJS.ProcessEnv} env changed
 * @returns {string[]} one sentence for each line that is ignored
 */
export function takeSettings(file, env) {
  const { assignments, faults } = parseEnvironmentFile(readSettingsFile(file))
  const given = new Set(Object.keys(env))
  for (const { name, value } of assignments) if (!given.has(name)) env[name] = value
  env[settingsVariable] = file
  return faults.map(({ line, message }) => `${file}, line ${line}: ${message}`)
}

/** Throws with one line for the operator. @param {string} file */
export function readSettingsFile(file) {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file))
    if (!text.includes('\0')) return text
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error)
    if (code !== 'ERR_ENCODING_INVALID_ENCODED_DATA') throw new Error(`The settings file ${file} cannot be read (${code}).`)
  }
  throw new Error(`The settings file ${file} is not text in UTF-8.`)
}
