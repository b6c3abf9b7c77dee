/**
 * Runs Debian's restic on the service's machine: to prune and prove copies, with the maintenance key, which no server ever gets. It has few
 * rights, little memory and what others leave of the disk; the key and the password are in its environment alone, and end with it.
 */
import { spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import type { CopyTarget } from '../machines/sites'
import { failureOf, type ResticFailure } from './failure'

/** Bytes. Go counts what it may use; the kernel refuses what is beyond, also to code that Go does not count. */
const [aimedBytes, maxBytes] = [200 * 1024 ** 2, 700 * 1024 ** 2]

const maxErrorBytes = 65_536

/** No account has it. Only a service that runs as root needs it. */
const withoutAccount = ['--reuid=65533', '--regid=65533', '--clear-groups']

const limited = (): string[] => [
  ...['nice', '-n', '19', 'ionice', '-c', '3'],
  ...['prlimit', `--data=${maxBytes}`, '--core=0'],
  ...['setpriv', '--no-new-privs', ...(process.getuid?.() === 0 ? withoutAccount : [])],
]

/** command: without options that name the repository. see: gets the output as it comes. signal: kills it. */
export type ResticCall = {
  target: CopyTarget
  command: readonly string[]
  see: (output: Readable) => Promise<void>
  signal: AbortSignal
}

/** Null if it has done everything; else why not. Throws what `see` throws, and the reason of the signal. */
export async function runRestic({ target, command, see, signal }: ResticCall): Promise<ResticFailure | null> {
  signal.throwIfAborted()
  const [program = '', ...rest] = [...limited(), 'restic', '--no-cache', ...command]
  const child = spawn(program, rest, { env: environmentOf(target), cwd: '/', stdio: ['ignore', 'pipe', 'pipe'] })
  const kill = () => void child.kill('SIGKILL')
  signal.addEventListener('abort', kill, { once: true })
  let complaints = ''
  child.stderr.on('data', (text: Buffer) => {
    complaints = (complaints + text.toString('utf8')).slice(-maxErrorBytes)
  })
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  // Both are awaited below; neither may end the process before.
  ended.catch(() => undefined)
  try {
    await see(child.stdout)
    const code = await ended
    signal.throwIfAborted()
    return code === 0 ? null : failureOf(code, complaints)
  } finally {
    kill()
    signal.removeEventListener('abort', kill)
  }
}

const environmentOf = ({ endpoint, bucket, folder, region, keyId, keySecret, password }: CopyTarget): NodeJS.ProcessEnv => ({
  NODE_ENV: process.env.NODE_ENV,
  PATH: process.env.PATH,
  LC_ALL: 'C.UTF-8',
  RESTIC_REPOSITORY: `s3:${endpoint}/${bucket}/${folder}`,
  RESTIC_PASSWORD: password,
  AWS_ACCESS_KEY_ID: keyId,
  AWS_SECRET_ACCESS_KEY: keySecret,
  AWS_DEFAULT_REGION: region,
  RESTIC_PROGRESS_FPS: '0.1',
  GOMEMLIMIT: String(aimedBytes),
  GOGC: '50',
})
