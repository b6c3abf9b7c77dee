/** Runs Debian's restic on the service's machine, with the maintenance key, which no server ever gets: its rights, its limits, its environment. */
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { programEnvironment } from '@/lib/settings/settings'
import type { BucketTarget } from '../machines/copy-target'
import { failureOf, isRetriedInVain } from './failure'

/** Bytes. Go counts what it may use; the kernel refuses what is beyond, also to code that Go does not count. */
const [aimedBytes, maxBytes] = [200 * 1024 ** 2, 700 * 1024 ** 2]

/** Of each of its two outputs. 5000 ids of snapshots are 325 KB. */
const maxOutputLength = 4 * 1024 ** 2

/** How long it has to remove its lock, once it is to end. */
const endMs = 15_000

/** No account has it. Only a service that runs as root needs it. */
const withoutAccount = ['--reuid=65533', '--regid=65533', '--clear-groups']

const limited = (): string[] => [
  ...['nice', '-n', '19', 'ionice', '-c', '3'],
  ...['prlimit', `--data=${maxBytes}`, '--core=0'],
  ...['setpriv', '--no-new-privs', ...(process.getuid?.() === 0 ? withoutAccount : [])],
]

/** Amazon and Google have a name for each bucket, which restic prefers. The gate leads to the endpoint alone. */
const bucketInPath = ['-o', 's3.bucket-lookup=path']

/** proxy: the address of a gate. command: without options that name the repository; of the caller's own texts and ids in hexadecimal. signal: ends it. */
type ResticCall = { target: BucketTarget; proxy: string; command: readonly string[]; signal: AbortSignal }

/** What it prints. The key and the password are in its environment alone, and end with it. Throws MachineFailure with the cause, and the reason of the signal. */
export async function runRestic({ target, proxy, command, signal }: ResticCall): Promise<string> {
  signal.throwIfAborted()
  const [program = '', ...rest] = [...limited(), 'restic', '--no-cache', ...bucketInPath, ...command]
  const child = spawn(program, rest, {
    env: { ...environmentOf(target), HTTP_PROXY: proxy, HTTPS_PROXY: proxy },
    cwd: '/',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const kill = () => void child.kill('SIGKILL')
  let killing: NodeJS.Timeout | undefined
  const end = () => {
    child.kill('SIGINT')
    killing ??= setTimeout(kill, endMs)
  }
  signal.addEventListener('abort', end, { once: true })
  let [printed, complaints] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed = (printed + text).slice(-maxOutputLength)
  })
  createInterface({ input: child.stderr }).on('line', (line) => {
    complaints = `${complaints}${line}\n`.slice(-maxOutputLength)
    if (isRetriedInVain(line)) end()
  })
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject)
      child.once('close', resolve)
    })
    signal.throwIfAborted()
    if (code !== 0) throw failureOf(code, complaints)
    return printed
  } finally {
    clearTimeout(killing)
    signal.removeEventListener('abort', end)
  }
}

const environmentOf = ({ endpoint, bucket, folder, region, keyId, keySecret, password }: BucketTarget): NodeJS.ProcessEnv => ({
  // The types of Node ask for it.
  NODE_ENV: 'production',
  PATH: programEnvironment().PATH,
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
