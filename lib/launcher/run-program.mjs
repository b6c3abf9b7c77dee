/** Runs one of the commands that need the dependencies, as a separate process: its modules are loaded for a server without React. */
import { spawn } from 'node:child_process'
import { constants } from 'node:os'

/** Resolves when it has ended; this process then ends as it did. @param {string} source @param {readonly string[]} args */
export function runProgram(source, args) {
  const flags = ['--conditions=react-server', '--import', './lib/launcher/require-ready.mjs', '--import', 'tsx']
  const child = spawn(process.execPath, [...flags, source, ...args], { stdio: 'inherit' })
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) process.on(signal, () => child.kill(signal))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => {
      process.exitCode = code ?? 128 + (signal === null ? 0 : constants.signals[signal])
      resolve(undefined)
    })
  })
}
