/** `keeper.mjs PROGRAM ARGS…`: runs a program in its own process group, and kills the group when the starting process ends. */
import { spawn } from 'node:child_process'

const [program = '', ...args] = process.argv.slice(2)
const child = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit'] })
child.once('exit', (code) => process.exit(code ?? 1))
child.once('error', (error) => {
  process.stderr.write(`${program} cannot be started: ${error.message}\n`)
  process.exit(127)
})

// Standard input is a pipe from that process: the kernel closes it however the process ends, even by SIGKILL.
process.stdin.resume().once('close', () => process.kill(-process.pid, 'SIGKILL'))
