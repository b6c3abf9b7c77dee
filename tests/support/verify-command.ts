/** `gatehouse backup verify` from its sources, as a process. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

type Ended = { code: number; stdout: string; stderr: string }

/** Never rejects: code is its exit code. */
export function runVerify(args: readonly string[], env: Record<string, string>): Promise<Ended> {
  const command = ['--conditions=react-server', '--import', 'tsx', 'lib/backup/verify-command.ts', ...args]
  return promisify(execFile)(process.execPath, command, { env: { ...process.env, LOG_LEVEL: 'silent', ...env } }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }: Ended) => ({ code, stdout, stderr }),
  )
}
