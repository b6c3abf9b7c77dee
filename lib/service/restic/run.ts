/** Runs Debian's restic on the service's machine, with the maintenance key, which no server ever gets: its rights, its limits, its environment. */
import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Duplex, Readable } from 'node:stream'
import { programEnvironment } from '@/lib/settings/settings'
import { failureOf, isRetriedInVain, resticFailure } from './failure'

/** How restic reaches a target: what it gets for its runs, and nothing that outlasts them. */
export type Way = AsyncDisposable & {
  repository: string
  /** Arguments, without secrets. */
  options: readonly string[]
  environment: Readonly<Record<string, string>>
  /** Opens what restic gets as descriptor 3. Without it, restic connects itself. Throws MachineFailure. */
  channel?: () => Promise<Duplex>
}

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

/** command: without options that name the repository; of the caller's own texts and ids in hexadecimal. signal: ends it. */
type ResticCall = { way: Way; password: string; command: readonly string[]; signal: AbortSignal }

/** What it prints. The key of a bucket and the password are in its environment alone, and end with it. Throws MachineFailure with the cause, and the reason of the signal. */
export async function runRestic({ way, password, command, signal }: ResticCall): Promise<string> {
  signal.throwIfAborted()
  const channel = await way.channel?.()
  const [program = '', ...rest] = [...limited(), 'restic', '--no-cache', ...way.options, ...command]
  const child = spawn(program, rest, {
    env: environmentOf(way, password),
    cwd: '/',
    stdio: ['ignore', 'pipe', 'pipe', channel ? 'pipe' : 'ignore'],
  })
  const kill = () => void child.kill('SIGKILL')
  let killing: NodeJS.Timeout | undefined
  const end = () => {
    child.kill('SIGINT')
    killing ??= setTimeout(kill, endMs)
  }
  signal.addEventListener('abort', end, { once: true })
  let [printed, complaints, isCut] = ['', '', false]
  const cut = () => {
    isCut = true
    end()
  }
  if (channel) join(child, channel, cut)
  const [stdout, stderr] = [child.stdout, child.stderr] as [Readable, Readable]
  stdout.setEncoding('utf8').on('data', (text: string) => {
    printed = (printed + text).slice(-maxOutputLength)
  })
  createInterface({ input: stderr }).on('line', (line) => {
    complaints = `${complaints}${line}\n`.slice(-maxOutputLength)
    if (isRetriedInVain(line)) end()
  })
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject)
      child.once('close', resolve)
    })
    signal.throwIfAborted()
    if (code !== 0) throw isCut ? resticFailure('unreachable') : failureOf(code, complaints)
    return printed
  } finally {
    clearTimeout(killing)
    signal.removeEventListener('abort', end)
    channel?.destroy()
  }
}

/** cut: called if the channel closes before restic has ended; nothing would ever answer it. */
function join(child: ChildProcess, channel: Duplex, cut: () => void): void {
  const socket = child.stdio[3] as Duplex
  for (const stream of [socket, channel]) stream.on('error', () => stream.destroy())
  channel.once('close', () => {
    socket.destroy()
    if (child.exitCode === null && child.signalCode === null) cut()
  })
  socket.pipe(channel).pipe(socket)
}

const environmentOf = ({ repository, environment }: Way, password: string): NodeJS.ProcessEnv => ({
  // The types of Node ask for it.
  NODE_ENV: 'production',
  PATH: programEnvironment().PATH,
  LC_ALL: 'C.UTF-8',
  RESTIC_REPOSITORY: repository,
  RESTIC_PASSWORD: password,
  ...environment,
  RESTIC_PROGRESS_FPS: '0.1',
  GOMEMLIMIT: String(aimedBytes),
  GOGC: '50',
})
