/** Runs a program on this machine and returns its output. */
import { spawn } from 'node:child_process'

export type Output = { code: number; stdout: string; stderr: string }

/**
 * Runs a program to its end. A program ended by a signal, or by `timeoutMs` (default five minutes), has an exit code of 128 or
 * more. Rejects only if the program cannot be started.
 */
export function run(program: string, args: readonly string[], options: { stdin?: string; timeoutMs?: number } = {}): Promise<Output> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'], timeout: options.timeoutMs ?? 300_000, killSignal: 'SIGKILL' })
    const stdout: Buffer[] = []
    const stderr: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk))
    child.on('error', reject)
    child.on('close', (code) =>
      resolve({ code: code ?? 128, stdout: Buffer.concat(stdout).toString(), stderr: Buffer.concat(stderr).toString() }),
    )
    // A program that exits without reading its input must not fail the run.
    child.stdin.on('error', () => undefined)
    child.stdin.end(options.stdin ?? '')
  })
}

/** Like run, but an exit code other than 0 is an error that contains the end of the output. Resolves with stdout. */
export async function mustRun(
  program: string,
  args: readonly string[],
  options: { stdin?: string; timeoutMs?: number } = {},
): Promise<string> {
  const { code, stdout, stderr } = await run(program, args, options)
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code}: ${`${stdout}\n${stderr}`.trim().slice(-2000)}`)
  return stdout
}
