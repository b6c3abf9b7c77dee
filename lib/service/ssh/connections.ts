/** The pool: one SSH connection per machine, opened when needed and closed when idle. */
import { createHash } from 'node:crypto'
import { createLocks } from '../locks'
import { patience } from './connect'
import { CutConnection, outcomeUnknown, tooSlow, unreachable } from './failure'
import { type Link, openLink } from './link'
import type { Ran, Reach, Request } from './reach'

export type Connections = {
  /** Runs a script that changes nothing. A connection found cut is opened anew once. */
  read(reach: Reach, request: Request): Promise<Ran>
  /** Runs a script that changes something, one at a time per machine, and never twice: a cut after it was sent is outcome_unknown. */
  change(reach: Reach, request: Request): Promise<Ran>
  /** Runs a script over a connection of its own, to a host that has to answer within `reachMs`: it proves that one can log in. */
  afresh(reach: Reach, request: Request, reachMs: number): Promise<Ran>
  /** Yields a script's output as it comes, on a channel of its own. A cut throws CutConnection. */
  stream(reach: Reach, request: Request, signal: AbortSignal): AsyncGenerator<string, number>
  /** The address by which the machine is connected right now, IPv4 or IPv6. */
  addressOf(reach: Reach): Promise<string>
  /** Closes the connection of one machine. */
  drop(id: string): Promise<void>
  /** Closes all. */
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

type Held = {
  id: string
  /** What it was opened with; another set needs another connection. */
  marks: string
  link: Promise<Link>
  isUsable: () => boolean
  users: number
  idleTimer: NodeJS.Timeout | undefined
}

/** `timeout` ends a script with 124, or 137 when it had to use force. */
const timeoutCodes = new Set([124, 137])

export function createConnections({ idleMs = 60_000, lockPatienceMs = 30_000 } = {}): Connections {
  const held = new Map<string, Held>()
  const locks = createLocks(lockPatienceMs)

  /** Another has taken their place, as when a key was replaced; whoever is at work over them finishes. */
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

  const take = (reach: Reach): Held => {
    const marks = marksOf(reach)
    const known = held.get(reach.id)
    const entry = known?.marks === marks && known.isUsable() ? known : hold(reach, marks)
    if (known !== undefined && entry !== known) supersede(known)
    held.set(reach.id, entry)
    clearTimeout(entry.idleTimer)
    entry.users++
    return entry
  }
  const release = (reach: Reach, entry: Held) => {
    entry.users--
    if (entry.users > 0) return
    if (outgoing.has(entry)) void end(entry)
    if (held.get(reach.id) === entry) entry.idleTimer = setTimeout(() => drop(reach.id), idleMs).unref()
  }

  const use = async <T>(reach: Reach, work: (link: Link) => T): Promise<Awaited<T>> => {
    const entry = take(reach)
    try {
      return await work(await entry.link)
    } finally {
      release(reach, entry)
    }
  }
  const runOnce = (reach: Reach, request: Request) => use(reach, (link) => link.run(request))

  /** Over a new connection when the old one turns out to be cut, as long as `mayRepeat` says that it does no harm. */
  const run = (reach: Reach, request: Request, mayRepeat: (cut: CutConnection) => boolean): Promise<Ran> =>
    runOnce(reach, request).catch((error) => {
      if (error instanceof CutConnection && mayRepeat(error)) return runOnce(reach, request)
      throw error
    })

  const close = async () => {
    await Promise.all([...[...held.keys()].map(drop), ...[...outgoing].map(end)])
  }

  return {
    read: async (reach, request) => {
      const cut = (error: unknown) => Promise.reject(error instanceof CutConnection ? unreachable(reach, error) : error)
      return requireInTime(await run(reach, request, () => true).catch(cut))
    },
    change: (reach, request) =>
      locks.hold(reach.id, async () => {
        const cut = (error: unknown) => Promise.reject(error instanceof CutConnection ? outcomeUnknown(error) : error)
        return requireInTime(await run(reach, request, ({ sent }) => !sent).catch(cut))
      }),
    afresh: async (reach, request, reachMs) => {
      const link = await openLink(reach, { ...patience, reachMs })
      try {
        return requireInTime(await link.run(request))
      } catch (error) {
        throw error instanceof CutConnection ? unreachable(reach, error) : error
      } finally {
        await link.end()
      }
    },
    stream: async function* (reach, request, signal) {
      const entry = take(reach)
      try {
        const link = await entry.link
        return yield* link.stream(request, signal)
      } finally {
        release(reach, entry)
      }
    },
    addressOf: (reach) => use(reach, (link) => link.remoteAddress),
    drop,
    close,
    [Symbol.asyncDispose]: close,
  }
}

function hold(reach: Reach, marks: string): Held {
  const entry: Held = { id: reach.id, marks, link: openLink(reach), isUsable: () => true, users: 0, idleTimer: undefined }
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

function requireInTime(ran: Ran): Ran {
  if (timeoutCodes.has(ran.code)) throw tooSlow()
  return ran
}

function marksOf(reach: Reach): string {
  const parts = [reach.host, reach.port, reach.user, reach.hostKey, reach.privateKey]
  return createHash('sha256').update(parts.join('\0')).digest('hex')
}
