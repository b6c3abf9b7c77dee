/** Opens one SSH connection. The host key is held against the pinned one before any credential is offered. */
import { connect as connectSocket, type Socket } from 'node:net'
import ssh2, { type Client, type ClientErrorExtensions, type ConnectConfig, type ServerHostKeyAlgorithm } from 'ssh2'
import { hostKeyChanged, loginFailed, unreachable } from './failure'
import { fingerprintOf, hostKeyKinds } from './host-key'
import { authenticateOnce, type Login, refusalOf } from './login'
import type { Address } from './reach'

export type Connection = {
  client: Client
  /** The fingerprint that was shown and accepted. */
  hostKey: string
  /** The address that the name led to. */
  remoteAddress: string
  isOpen(): boolean
  /** Ends it, and resolves when it is down. */
  end(): Promise<void>
}

/** From the first packet to being logged in, however many tries that takes: callers of quick operations leave after ten seconds. */
const connectTimeoutMs = 8_000

/** When to give up, by Date.now(). */
type Deadline = number

const startDeadline = (withinMs: number): Deadline => Date.now() + withinMs

/** Never 0, which means no limit to ssh2. */
const leftMs = (deadline: Deadline) => Math.max(1, deadline - Date.now())

/** Thrown inside only: the host showed a key that was not the wanted one. */
class KeyRefused extends Error {
  constructor(readonly shown: string) {
    super('host key refused')
  }
}

type Target = { address: Address; login: Login; accept: (shown: string) => boolean; deadline: Deadline }

/**
 * Logs in. `pinned` is the SHA256:… fingerprint that must be shown; undefined trusts what is shown first.
 * Throws MachineFailure: unreachable, host_key_changed (with the key on show) or login_failed.
 */
export async function connect(
  address: Address,
  login: Login,
  pinned: string | undefined,
  withinMs = connectTimeoutMs,
): Promise<Connection> {
  const accept = (shown: string) => pinned === undefined || shown === pinned
  const target = { address, login, accept, deadline: startDeadline(withinMs) }
  try {
    return await attempt(target, hostKeyKinds.flat())
  } catch (error) {
    if (!(error instanceof KeyRefused)) throw error
    return await connectByOtherKind(target, error.shown)
  }
}

/** The host may have grown a key of a kind preferred to the pinned one's: it may still prove the pinned one. */
async function connectByOtherKind(target: Target, shown: string): Promise<Connection> {
  for (const kind of hostKeyKinds) {
    try {
      return await attempt(target, kind)
    } catch (error) {
      // Refused again, or the host has no key of this kind; a refused login, however, comes after the right key.
      if (error instanceof Error && error.message === 'login_failed') throw error
    }
  }
  throw hostKeyChanged(shown)
}

/** Key exchange only: no credential is offered and no login is tried. Resolves with the fingerprint on show. */
export async function askHostKey(address: Address): Promise<string> {
  try {
    const login = { user: 'nobody', password: '' }
    const connection = await attempt(
      { address, login, accept: () => false, deadline: startDeadline(connectTimeoutMs) },
      hostKeyKinds.flat(),
    )
    await connection.end()
  } catch (error) {
    if (error instanceof KeyRefused) return error.shown
    throw error
  }
  throw unreachable(address, new Error('the key exchange did not ask about the host key'))
}

async function attempt({ address, login, accept, deadline }: Target, kinds: readonly ServerHostKeyAlgorithm[]): Promise<Connection> {
  const socket = await openSocket(address, deadline)
  let hostKey = ''
  const hostVerifier = (key: Buffer) => {
    hostKey = fingerprintOf(key)
    return accept(hostKey)
  }
  const config = { ...configure(socket, login, hostVerifier, kinds), readyTimeout: leftMs(deadline) }
  const client = new ssh2.Client()
  try {
    await becomeReady(client, config)
  } catch (error) {
    socket.destroy()
    if (hostKey !== '' && !accept(hostKey)) throw new KeyRefused(hostKey)
    if (levelOf(error) === 'client-authentication') throw loginFailed(refusalOf(login), error)
    throw unreachable(address, error)
  }
  return hold(client, socket, hostKey)
}

function openSocket(address: Address, deadline: Deadline): Promise<Socket> {
  const host = address.host.replace(/^\[(.*)\]$/, '$1')
  return new Promise((resolve, reject) => {
    const socket = connectSocket({ host, port: address.port, noDelay: true })
    const fail = (cause: unknown) => {
      clearTimeout(timer)
      socket.destroy()
      reject(unreachable(address, cause))
    }
    const timer = setTimeout(() => fail(Object.assign(new Error('timeout'), { code: 'ETIMEDOUT' })), leftMs(deadline))
    socket.once('error', fail)
    socket.once('connect', () => {
      clearTimeout(timer)
      socket.off('error', fail)
      resolve(socket)
    })
  })
}

function configure(
  socket: Socket,
  login: Login,
  hostVerifier: (key: Buffer) => boolean,
  serverHostKey: readonly ServerHostKeyAlgorithm[],
): ConnectConfig {
  return {
    sock: socket,
    username: login.user,
    hostVerifier,
    algorithms: { serverHostKey: [...serverHostKey] },
    keepaliveInterval: 10_000,
    keepaliveCountMax: 3,
    authHandler: authenticateOnce(login),
  }
}

function becomeReady(client: Client, config: ConnectConfig): Promise<void> {
  return new Promise((resolve, reject) => {
    client.once('ready', resolve)
    client.once('close', () => reject(new Error('closed before the login')))
    client.on('error', reject)
    client.connect(config)
  })
}

function hold(client: Client, socket: Socket, hostKey: string): Connection {
  let open = true
  const closed = new Promise<void>((resolve) => client.once('close', () => resolve()))
  // An error is always followed by close; what was under way learns of it from its channel.
  client.on('error', () => {
    open = false
  })
  client.once('close', () => {
    open = false
  })
  return {
    client,
    hostKey,
    remoteAddress: socket.remoteAddress ?? '',
    isOpen: () => open,
    end: () => {
      open = false
      client.end()
      const timer = setTimeout(() => client.destroy(), 2_000)
      return closed.finally(() => clearTimeout(timer))
    },
  }
}

function levelOf(error: unknown): string {
  return (error as ClientErrorExtensions | undefined)?.level ?? ''
}
