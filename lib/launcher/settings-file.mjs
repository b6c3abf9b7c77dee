/** Takes the settings of a file into the environment: `--settings FILE`, or the variable GATEHOUSE_SETTINGS. */
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs'
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

/** The message is one line for the operator. */
export class SettingsFileError extends Error {}

/**
 * Throws SettingsFileError if the file cannot be read, or if others could change it or read a secret in it: it decides which files and
 * services a command uses, which may run as root.
 * @param {string} file
 */
export function readSettingsFile(file) {
  const { bytes, mode, uid } = readOpened(file)
  const shown = `mode ${(mode & 0o777).toString(8).padStart(4, '0')}`
  if (uid !== 0 && uid !== process.geteuid?.()) {
    throw new SettingsFileError(`The settings file ${file} belongs to another user: only root and the user who runs Gatehouse may own it.`)
  }
  if ((mode & 0o022) !== 0) {
    throw new SettingsFileError(`The settings file ${file} can be written by other users (${shown}): run chmod go-w on it.`)
  }
  const text = decode(bytes)
  if (text === null) throw new SettingsFileError(`The settings file ${file} is not text in UTF-8.`)
  const secret = (mode & 0o077) === 0 ? undefined : parseEnvironmentFile(text).assignments.map(describeSecret).find(Boolean)
  if (secret) {
    throw new SettingsFileError(
      `The settings file ${file} sets ${secret} and is accessible to other users (${shown}): run chmod 0600 on it.`,
    )
  }
  return text
}

/** Reads the file and its access through one descriptor, so that it cannot be replaced in between. @param {string} file */
function readOpened(file) {
  try {
    const opened = openSync(file, 'r')
    try {
      const { mode, uid } = fstatSync(opened)
      return { bytes: readFileSync(opened), mode, uid }
    } finally {
      closeSync(opened)
    }
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error)
    throw new SettingsFileError(`The settings file ${file} cannot be read (${code}).`)
  }
}

/** Null if it is not text. @param {Uint8Array} bytes */
function decode(bytes) {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    return text.includes('\0') ? null : text
  } catch {
    return null
  }
}

/** Null if the value is no secret. Most secrets are in files that settings only name. @param {import('./environment-file.mjs').Assignment} assignment */
function describeSecret({ name, value }) {
  if (name === 'GATEHOUSE_KEK' && value !== '') return name
  return /^[a-z][a-z0-9+.-]*:\/\/[^/?#@]*:[^/?#]+@/i.test(value) ? `a password in ${name}` : null
}

/**
 * `--settings FILE` before or after the command, which wins over the variable.
 * @param {readonly string[]} given arguments
 * @param {string} calledFrom the folder that a relative FILE is meant from
 * @returns {{ words: string[], file: string | undefined } | null} words: the other arguments. file: its whole path. null: the option without a file
 */
export function splitSettings(given, calledFrom) {
  /** @type {string[]} */
  const words = []
  let file = process.env[settingsVariable] || undefined
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
