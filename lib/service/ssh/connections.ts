/** The pool: one SSH connection per server, opened when needed and closed when idle. */
import { createHash } from 'node:crypto'
import { createLocks } from '../locks'
import { patience } from './connect'
import { CutConnection, outcomeUnknown, tooSlow, unreachable } from './failure'
import type { ExecResult, HostAddress, Request } from './host-address'
import { type Link, openLink } from './link'

export type Connections = {
  /** Runs a script that changes nothing. If the connection turns out to be lost, reconnects once. */
  read(host: HostAddress, request: Request): Promise<ExecResult>
  /** Runs a script that changes something, one at a time per server and never twice: a loss after it was sent is outcome_unknown. */
  change(host: HostAddress, request: Request): Promise<ExecResult>
  /** Runs a script over a new connection, to a server that must answer within `reachMs`: proves that Gatehouse can log in. */
  onNewConnection(host: HostAddress, request: Request, reachMs: number): Promise<ExecResult>
  /** Yields a script's output as it arrives, on a channel of its own. Throws CutConnection if the connection is lost. */
  stream(host: HostAddress, request: Request, signal: AbortSignal): AsyncGenerator<string, number>
  /** The same for output that is not text. */
  streamBytes(host: HostAddress, request: Request, signal: AbortSignal): AsyncGenerator<Uint8Array, number>
  /** The address of the server in the present connection, IPv4 or IPv6. */
  addressOf(host: HostAddress): Promise<string>
  /** Closes the connection of one server. */
  drop(id: string): Promise<void>
  /** Closes all. */
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

type Held = {
  id: string
  /** Identifies the credential; another one needs another connection. */
  credentialHash: string
  link: Promise<Link>
  isUsable: () => boolean
  users: number
  idleTimer: NodeJS.Timeout | undefined
}

/** `timeout` exits with 124, or with 137 if it had to kill the script. */
const timeoutCodes = new Set([124, 137])

export function createConnections({ idleMs = 60_000, lockPatienceMs = 30_000 } = {}): Connections {
  const held = new Map<string, Held>()
  const locks = createLocks(lockPatienceMs)

  /** Connections that were replaced, for example after a key rotation; work that uses them may finish. */
  const outgoing = new Set<Held>()

  const end = async (entry: Held) => {
    outgoing.delete(entry)
    clearTimeout(entry.idleTimer)
    await entry.link.then((link) => link.end()).catch(() => {})
  }
  const drop = async (id: string) => {
    const entries = [...held.values(), ...outgoing].filter((entry) => entry.id === id)
    held.delete(id)
    await Promise.all(entries.map(end))
  }
  const supersede = (entry: Held) => {
    outgoing.add(entry)
    if (entry.users === 0) void end(entry)
  }

  const take = (host: HostAddress): Held => {
    const credentialHash = hashCredential(host)
    const known = held.get(host.id)
    const entry = known?.credentialHash === credentialHash && known.isUsable() ? known : hold(host, credentialHash)
    if (known !== undefined && entry !== known) supersede(known)
    held.set(host.id, entry)
    clearTimeout(entry.idleTimer)
    entry.users++
    return entry
  }
  const release = (host: HostAddress, entry: Held) => {
    entry.users--
    if (entry.users > 0) return
    if (outgoing.has(entry)) void end(entry)
    if (held.get(host.id) === entry) entry.idleTimer = setTimeout(() => drop(host.id), idleMs).unref()
  }

  const use = async <T>(host: HostAddress, work: (link: Link) => T): Promise<Awaited<T>> => {
    const entry = take(host)
    try {
      return await work(await entry.link)
    } finally {
      release(host, entry)
    }
  }
  const runOnce = (host: HostAddress, request: Request) => use(host, (link) => link.run(request))

  /** Repeats over a new connection if the old one was lost and `mayRepeat` says that repeating is harmless. */
  const run = (host: HostAddress, request: Request, mayRepeat: (cut: CutConnection) => boolean): Promise<ExecResult> =>
    runOnce(host, request).catch((error) => {
      if (error instanceof CutConnection && mayRepeat(error)) return runOnce(host, request)
      throw error
    })

  async function* streamBy<T>(host: HostAddress, open: (link: Link) => AsyncGenerator<T, number>): AsyncGenerator<T, number> {
    const entry = take(host)
    try {
      return yield* open(await entry.link)
    } finally {
      release(host, entry)
    }
  }

  const close = async () => {
    await Promise.all([...[...held.keys()].map(drop), ...[...outgoing].map(end)])
  }

  return {
    read: async (host, request) => {
      const cut = (error: unknown) => Promise.reject(error instanceof CutConnection ? unreachable(host, error) : error)
      return requireInTime(await run(host, request, () => true).catch(cut))
    },
    change: (host, request) =>
      locks.hold(host.id, async () => {
        const cut = (error: unknown) => Promise.reject(error instanceof CutConnection ? outcomeUnknown(error) : error)
        return requireInTime(await run(host, request, ({ sent }) => !sent).catch(cut))
      }),
    onNewConnection: async (host, request, reachMs) => {
      const link = await openLink(host, { ...patience, reachMs })
      try {
        return requireInTime(await link.run(request))
      } catch (error) {
        throw error instanceof CutConnection ? unreachable(host, error) : error
      } finally {
        await link.end()
      }
    },
    stream: (host, request, signal) => streamBy(host, (link) => link.stream(request, signal)),
    streamBytes: (host, request, signal) => streamBy(host, (link) => link.streamBytes(request, signal)),
    addressOf: (host) => use(host, (link) => link.remoteAddress),
    drop,
    close,
    [Symbol.asyncDispose]: close,
  }
}

function hold(host: HostAddress, credentialHash: string): Held {
  const entry: Held = { id: host.id, credentialHash, link: openLink(host), isUsable: () => true, users: 0, idleTimer: undefined }
  entry.link.then(
    (link) => {
      entry.isUsable = link.isOpen
    },
    () => {
      entry.isUsable = () => false
    },
  )
  return entry
}

function requireInTime(result: ExecResult): ExecResult {
  if (timeoutCodes.has(result.code)) throw tooSlow()
  return result
}

function hashCredential(host: HostAddress): string {
  const parts = [host.host, host.port, host.user, host.hostKey, host.privateKey]
  return createHash('sha256').update(parts.join('\0')).digest('hex')
}
