/** One SSH connection to one server with its two persistent channels, and their allocation to requests. */
import { type Channel, openChannel, type RunAs, streamBytes, streamOutput } from './channel'
import { type Connection, connect, type Patience } from './connect'
import { CutConnection } from './failure'
import type { ExecResult, HostAddress, Request } from './host-address'
import { createSessions } from './sessions'

/** The second channel keeps a slow request from blocking reads; changes use only one. */
const channelsPerHost = 2

export type Link = {
  run(request: Request): Promise<ExecResult>
  stream(request: Request, signal: AbortSignal): AsyncGenerator<string, number>
  streamBytes(request: Request, signal: AbortSignal): AsyncGenerator<Uint8Array, number>
  remoteAddress: string
  isOpen(): boolean
  end(): Promise<void>
}

/** Logs in with the server's own key. Throws MachineFailure as connect does. */
export async function openLink(host: HostAddress, limits?: Patience): Promise<Link> {
  const login = () => connect(host, { user: host.user, privateKey: host.privateKey }, host.hostKey, limits)
  const connection = await login()
  const as: RunAs = host.user === 'root' ? 'itself' : 'root by sudo'
  const { execute, end } = createSessions(connection, login)
  const channels = createChannels(connection, () => openChannel(execute, as))
  return {
    run: channels.run,
    stream: (request, signal) => streamOutput(execute, as, request, signal),
    streamBytes: (request, signal) => streamBytes(execute, as, request, signal),
    remoteAddress: connection.remoteAddress,
    isOpen: connection.isOpen,
    end,
  }
}

function createChannels(connection: Connection, open: () => Promise<Channel>) {
  const idle: Channel[] = []
  const waiting: ((channel: Channel | null) => void)[] = []
  let opened = 0

  /** Null if the caller has to open a channel of its own. */
  const take = (): Promise<Channel | null> => {
    const channel = idle.pop()
    if (channel !== undefined) return Promise.resolve(channel)
    if (opened < channelsPerHost) {
      opened++
      return Promise.resolve(null)
    }
    return new Promise((resolve) => waiting.push(resolve))
  }
  const release = (channel: Channel | null) => {
    const usable = channel?.isOpen() ? channel : null
    const next = waiting.shift()
    if (next !== undefined) next(usable)
    else if (usable !== null) idle.push(usable)
    else opened--
  }

  const run = async (request: Request): Promise<ExecResult> => {
    let channel = await take()
    if (channel !== null && !channel.isOpen()) channel = null
    try {
      if (!connection.isOpen()) throw new CutConnection({ sent: false })
      channel ??= await open()
      return await channel.run(request)
    } finally {
      release(channel)
    }
  }
  return { run }
}
