/** Runs one of Debian's programs, or a program of a release, to its end. */
import { spawn } from 'node:child_process'

export type Ran = { code: number; stdout: string; stderr: string }

/** Code 127: there is no such program. Values reach it as arguments, never through a shell. */
export function runTool(
  command: string,
  args: readonly string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv; uid?: number; gid?: number } = {},
): Promise<Ran> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
    let [stdout, stderr] = ['', '']
    child.stdout.on('data', (chunk) => (stdout += chunk))
    child.stderr.on('data', (chunk) => (stderr += chunk))
    child.once('error', (error) => resolve({ code: 127, stdout, stderr: error.message }))
    child.once('close', (code) => resolve({ code: code ?? 1, stdout, stderr }))
  })
}

/** The last line that a program printed, which is where most say why they failed. */
export const lastLine = (output: string): string => output.trim().split('\n').at(-1) ?? ''
