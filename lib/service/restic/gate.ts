/** What restic connects through: a proxy on this machine that leads to one target alone, and looks each time where its name leads now. */
import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse, request as startRequest } from 'node:http'
import { type AddressInfo, connect, isIP } from 'node:net'
import type { Duplex } from 'node:stream'
import { mayConnect } from '@/lib/settings/network'
import { type Resolve, requirePermitted, resolveName } from './resolve'

type Gate = AsyncDisposable & {
  /** With a login, because every user of this machine reaches its port. */
  url: string
}

/** restic resolves names itself, so a check before it starts would not be enough. endpoint: an origin. Throws MachineFailure if any of its addresses is forbidden, or it has none. Plain http is permitted only to what the settings allow. */
export async function openGate(endpoint: string, resolve: Resolve = resolveName): Promise<Gate> {
  const url = new URL(endpoint)
  const [host, plain] = [url.hostname.replace(/^\[|\]$/g, '').toLowerCase(), url.protocol === 'http:']
  const findAddresses = async (name: string) => (isIP(name) ? [name] : resolve(name))
  const isPermitted = (address: string, name: string) => mayConnect({ host: name, address, plain })
  await requirePermitted(host, plain, resolve)

  const port = Number(url.port) || (plain ? 80 : 443)
  const login = `restic:${randomBytes(24).toString('base64url')}`
  const sockets = new Set<Duplex>()
  const hold = (socket: Duplex) => sockets.add(socket.once('close', () => sockets.delete(socket)))
  const isOurs = ({ headers }: IncomingMessage) => headers['proxy-authorization'] === `Basic ${Buffer.from(login).toString('base64')}`
  /** Null where this must not lead. asked: a host with its port. */
  const findAddress = async (request: IncomingMessage, asked: string) => {
    const name = isOurs(request) ? findName(asked.toLowerCase(), host, port) : null
    return name === null ? undefined : (await findAddresses(name)).find((each) => isPermitted(each, name))
  }
  const passOn = async (request: IncomingMessage, response: ServerResponse) => {
    const [, asked = '', path = ''] = /^http:\/\/([^/]+)(\/.*)$/i.exec(request.url ?? '') ?? []
    const address = plain ? await findAddress(request, /:\d+$/.test(asked) ? asked : `${asked}:80`) : undefined
    if (response.destroyed) return
    if (address === undefined) return void response.writeHead(403).end()
    const { 'proxy-authorization': _, 'proxy-connection': __, ...headers } = request.headers
    const onwards = startRequest({ host: address, port, path, method: request.method ?? '', headers, agent: false })
    response.once('close', () => onwards.destroy())
    const answered = new Promise<IncomingMessage>((resolved, reject) => {
      onwards.on('socket', hold).on('error', reject).once('response', resolved)
    })
    request.pipe(onwards)
    const answer = await answered
    answer.on('error', () => response.destroy())
    // Throws at a status that is none.
    response.writeHead(answer.statusCode ?? 0, answer.rawHeaders)
    answer.pipe(response)
  }
  // What is asked by plain http is passed on; the rest is in a tunnel.
  const server = createServer((request, response) => {
    response.on('error', () => response.destroy())
    passOn(request, response).catch(() => response.destroy())
  })
  // restic keeps its connections, and what it sends may take long.
  Object.assign(server, { requestTimeout: 0, keepAliveTimeout: 0 })
  // Also those who have no login, or send nothing: the server does not close before they do.
  server.on('connection', hold)
  server.on('connect', async (request, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy())
    const address = await findAddress(request, request.url ?? '')
    if (socket.destroyed) return
    if (address === undefined) return void socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')
    const onwards = connect(port, address)
    hold(onwards)
    onwards.on('error', () => socket.destroy())
    socket.once('close', () => onwards.destroy())
    onwards.once('close', () => socket.destroy())
    onwards.once('connect', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      onwards.write(head)
      socket.pipe(onwards).pipe(socket)
    })
  })
  await new Promise<void>((resolved, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', () => resolved())
  })
  return {
    url: `http://${login}@127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((closed) => {
        server.close(closed)
      })
    },
  }
}

// restic asks Amazon by this name, whichever one it is given.
const ofAmazon = /^s3[a-z0-9.-]*\.amazonaws\.com(\.cn)?$/
const askedOfAmazon = /^s3(\.dualstack)?\.[a-z0-9-]+\.amazonaws\.com(\.cn)?$/

/** The host that restic asks for, if it is the target; null for another one. */
function findName(asked: string, host: string, port: number): string | null {
  if (asked === `${isIP(host) === 6 ? `[${host}]` : host}:${port}`) return host
  const [name = ''] = asked.split(':', 1)
  return ofAmazon.test(host) && askedOfAmazon.test(name) && asked === `${name}:443` && port === 443 ? name : null
}
