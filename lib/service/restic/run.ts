/** Runs Debian's restic on the service's machine, with the maintenance key, which no server ever gets: its rights, its limits, its environment. */
import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Duplex, Readable } from 'node:stream'
import { programEnvironment } from '@/lib/settings/settings'
import { failureOf, isRetriedInVain, resticFailure } from './failure'

/** How restic reaches a target: what it gets for its runs, and nothing that outlasts them. */
export type Storage = AsyncDisposable & {
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

/** How long a target has to open a session. */
const openMs = 30_000

/** How long a session may be silent: restic asks for something every five minutes, because it renews its lock. */
const silenceMs = 15 * 60_000

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
type ResticCall = { storage: Storage; password: string; command: readonly string[]; signal: AbortSignal; silentMs?: number }

/** What it prints. The key of a bucket and the password are in its environment alone, and end with it. Throws MachineFailure with the cause, and the reason of the signal. */
export async function runRestic({ storage, password, command, signal, silentMs = silenceMs }: ResticCall): Promise<string> {
  signal.throwIfAborted()
  const channel = storage.channel && (await soon(storage.channel(), signal))
  const [program = '', ...rest] = [...limited(), 'restic', '--no-cache', ...storage.options, ...command]
  const child = spawn(program, rest, {
    env: environmentOf(storage, password),
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
  if (channel) join(child, channel, { silentMs, cut })
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

/** A target may leave the session unanswered without end, and other targets wait for this one. */
function soon<T>(opened: Promise<T>, signal: AbortSignal): Promise<T> {
  const patience = AbortSignal.timeout(openMs)
  const given = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    patience.addEventListener('abort', () => reject(resticFailure('unreachable')), { once: true })
  })
  return Promise.race([opened, given])
}

/** cut: called if the channel closes, or is silent for so long, before restic has ended; nothing would ever answer it. */
function join(child: ChildProcess, channel: Duplex, { silentMs, cut }: { silentMs: number; cut: () => void }): void {
  const socket = child.stdio[3] as Duplex
  for (const stream of [socket, channel]) stream.on('error', () => stream.destroy())
  // What a target does not take any more would keep the descriptor open, and its end would never come.
  child.once('exit', () => socket.destroy())
  const silence = setTimeout(cut, silentMs).unref()
  channel.on('data', () => silence.refresh())
  child.once('exit', () => clearTimeout(silence))
  channel.once('close', () => {
    socket.destroy()
    if (child.exitCode === null && child.signalCode === null) cut()
  })
  socket.pipe(channel).pipe(socket)
}

const environmentOf = ({ repository, environment }: Storage, password: string): NodeJS.ProcessEnv => ({
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
