/** Runs a command as a separate process, whose modules are loaded for a server without React. */
import { spawn } from 'node:child_process'
import { constants } from 'node:os'

/** Resolves when it has ended; this process then ends as it did. @param {readonly string[]} args what Node runs */
export function runProgram(args) {
  const child = spawn(process.execPath, args, { stdio: 'inherit' })
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) process.on(signal, () => child.kill(signal))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => {
      process.exitCode = code ?? 128 + (signal === null ? 0 : constants.signals[signal])
      resolve(undefined)
    })
  })
}
