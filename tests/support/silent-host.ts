/** Hosts that keep their silence, each in its own way, on loopback. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer, connect as openSocket, type Socket } from 'node:net'
import ssh2 from 'ssh2'
import { createOwnKey } from '@/lib/service/ssh/private-key'

export type SilentHost = AsyncDisposable & { host: string; port: number }

const host = '127.0.0.1'

/** Accepts every connection and never sends anything. */
export async function startSpeechless(): Promise<SilentHost> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
  }).listen(0, host)
  await once(server, 'listening')
  return {
    host,
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

/** Answers no attempt to connect at all, as behind a firewall that drops: its process stands still and its queue is full. */
export async function startUnanswering(): Promise<SilentHost> {
  const script = `const s = require('net').createServer().listen({ port: 0, host: '${host}', backlog: 1 }, () => console.log(s.address().port))`
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = await once(child.stdout, 'data')
  const port = Number(line)
  child.kill('SIGSTOP')
  const queued: Socket[] = []
  for (let connected = true; connected && queued.length < 20; ) {
    const socket = openSocket({ host, port }).on('error', () => {})
    queued.push(socket)
    connected = await Promise.race([once(socket, 'connect').then(() => true), new Promise<boolean>((r) => setTimeout(r, 300, false))])
  }
  return {
    host,
    port,
    async [Symbol.asyncDispose]() {
      for (const socket of queued) socket.destroy()
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}

/** An SSH server that lets everybody in and then runs nothing it is given. `hostKey` is the raw public key it shows. */
export async function startListless(): Promise<SilentHost & { hostKey: Buffer }> {
  const pair = createOwnKey()
  const key = ssh2.utils.parseKey(pair.publicKey)
  if (key instanceof Error) throw key
  const server = new ssh2.Server({ hostKeys: [pair.privateKey] }, (client) => {
    client.on('error', () => {})
    client.on('authentication', (attempt) => attempt.accept())
    client.on('session', (accept) => accept().on('exec', (acceptCommand) => acceptCommand().resume()))
    clients.add(client)
  })
  const clients = new Set<{ end(): void }>()
  server.listen(0, host)
  await once(server, 'listening')
  return {
    host,
    port: (server.address() as AddressInfo).port,
    hostKey: key.getPublicSSH(),
    async [Symbol.asyncDispose]() {
      for (const client of clients) client.end()
      server.close()
    },
  }
}
