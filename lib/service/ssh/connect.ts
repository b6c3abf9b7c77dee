/** Opens one SSH connection. Compares the host key with the pinned one before it offers any credential. */
import { connect as connectSocket, type Socket } from 'node:net'
import ssh2, { type Client, type ClientErrorExtensions, type ConnectConfig, type ServerHostKeyAlgorithm, type SFTPWrapper } from 'ssh2'
import { cleanText } from '../clean-text'
import { hostKeyChanged, loginFailed, loginTooSlow, unreachable } from './failure'
import type { Address } from './host-address'
import { fingerprintOf, hostKeyKinds } from './host-key'
import { authenticateOnce, type Login, refusalOf } from './login'

export type Sftp = SFTPWrapper

export type Connection = {
  client: Client
  user: string
  /** The fingerprint of the accepted host key. */
  hostKey: string
  /** The resolved address of the host name. */
  remoteAddress: string
  isOpen(): boolean
  /** Closes the connection; resolves when it is closed. */
  end(): Promise<void>
}

/**
 * reachMs: from the first packet to the host key, over all attempts. loginMs: from there to the end of the login, which PAM may
 * delay.
 */
export type Patience = { reachMs: number; loginMs: number }

export const patience: Patience = { reachMs: 8_000, loginMs: 30_000 }

/** When to give up, by Date.now(). */
type Deadline = number

const startDeadline = (withinMs: number): Deadline => Date.now() + withinMs

const leftMs = (deadline: Deadline) => Math.max(1, deadline - Date.now())

/** Internal: the server presented another key than the pinned one. */
class KeyRefused extends Error {
  constructor(readonly shown: string) {
    super('host key refused')
  }
}

type Target = { address: Address; login: Login; accept: (shown: string) => boolean; deadline: Deadline; loginMs: number }

/**
 * Logs in. `pinned` is the SHA256:… fingerprint that the server must present; undefined trusts the first one. Throws MachineFailure:
 * unreachable, host_key_changed (with the presented key), login_failed or too_slow.
 */
export async function connect(
  address: Address,
  login: Login,
  pinned: string | undefined,
  { reachMs, loginMs } = patience,
): Promise<Connection> {
  const accept = (shown: string) => pinned === undefined || shown === pinned
  const target = { address, login, accept, deadline: startDeadline(reachMs), loginMs }
  try {
    return await attempt(target, hostKeyKinds.flat())
  } catch (error) {
    if (!(error instanceof KeyRefused)) throw error
    return await connectByOtherKind(target, error.shown)
  }
}

/** The server may have a newer key of a preferred type since, but still present the pinned one on request. */
async function connectByOtherKind(target: Target, shown: string): Promise<Connection> {
  for (const kind of hostKeyKinds) {
    try {
      return await attempt(target, kind)
    } catch (error) {
      // The server has no key of this type, or presented a wrong one again. A failed login means that the key was right.
      if (error instanceof Error && afterKey.has(error.message)) throw error
    }
  }
  throw hostKeyChanged(shown)
}

const afterKey = new Set(['login_failed', 'too_slow'])

/** Only exchanges keys: offers no credential and attempts no login. Resolves with the presented fingerprint. */
export async function askHostKey(address: Address): Promise<string> {
  try {
    const login = { user: 'nobody', password: '' }
    const target = { address, login, accept: () => false, deadline: startDeadline(patience.reachMs), loginMs: patience.loginMs }
    const connection = await attempt(target, hostKeyKinds.flat())
    await connection.end()
  } catch (error) {
    if (error instanceof KeyRefused) return error.shown
    throw error
  }
  throw unreachable(address, new Error('the key exchange did not ask about the host key'))
}

async function attempt(
  { address, login, accept, deadline, loginMs }: Target,
  kinds: readonly ServerHostKeyAlgorithm[],
): Promise<Connection> {
  const socket = await openSocket(address, deadline)
  let hostKey = ''
  const hostVerifier = (key: Buffer) => {
    hostKey = fingerprintOf(key)
    return accept(hostKey)
  }
  const config = configure(socket, login, hostVerifier, kinds)
  const client = new ssh2.Client()
  let banner = ''
  client.on('banner', (text) => {
    banner = text.trim() || banner
  })
  try {
    await becomeReady(client, config, { reachMs: leftMs(deadline), loginMs })
  } catch (error) {
    socket.destroy()
    if (hostKey !== '' && !accept(hostKey)) throw new KeyRefused(hostKey)
    if (error instanceof LoginTooSlow) throw loginTooSlow(login.user, loginMs)
    if (levelOf(error) === 'client-authentication') throw loginFailed(refusalOf(login), error)
    if (error instanceof Closed && hostKey !== '' && banner !== '') throw loginFailed(closedSentence(login.user, banner), error)
    throw unreachable(address, error)
  }
  return hold(client, socket, login.user, hostKey)
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
    // Both limits are enforced here instead.
    readyTimeout: 0,
    authHandler: authenticateOnce(login),
  }
}

/** Internal: the key exchange finished in time, the login did not. */
class LoginTooSlow extends Error {}

/** Internal: the server closed the connection without an error, as it does if PAM refuses the user. */
class Closed extends Error {
  readonly code = 'CLOSED'
}

const closedSentence = (user: string, banner: string): string =>
  `The server closed the login of ${user}. It said: ${cleanText(banner.replace(/\s+/g, ' '), 200)}`

function becomeReady(client: Client, config: ConnectConfig, { reachMs, loginMs }: Patience): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const ready = new Promise<void>((resolve, reject) => {
    const startTimer = (ms: number, error: Error) => {
      clearTimeout(timer)
      timer = setTimeout(reject, ms, error)
    }
    client.once('ready', resolve)
    client.once('close', () => reject(new Closed()))
    client.on('error', reject)
    client.once('handshake', () => startTimer(loginMs, new LoginTooSlow()))
    startTimer(reachMs, Object.assign(new Error('timeout'), { code: 'ETIMEDOUT' }))
    client.connect(config)
  })
  return ready.finally(() => clearTimeout(timer))
}

function hold(client: Client, socket: Socket, user: string, hostKey: string): Connection {
  let open = true
  const closed = new Promise<void>((resolve) => client.once('close', () => resolve()))
  // An error is always followed by close; each channel reports the loss to the work on it.
  client.on('error', () => {
    open = false
  })
  client.once('close', () => {
    open = false
  })
  return {
    client,
    user,
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
