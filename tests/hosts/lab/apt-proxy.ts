/**
 * The lab's only connection to the internet: a proxy that serves this machine's own apt sources to the hosts and caches what
 * never changes.
 */
import { createHash, randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream, existsSync, statSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises'
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { basename, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { gatewayAddress } from './network.ts'
import { packagesFolder } from './places.ts'

const agent = new Agent({ keepAlive: true, maxSockets: 8 })

/** Starts a proxy on the bridge's address, on any free port, and resolves with its URL. It does not keep this process alive. */
export async function startAptProxy(): Promise<string> {
  await mkdir(packagesFolder, { recursive: true })
  const allowed = await aptHosts()
  const server = createServer((incoming, answer) => {
    serve(incoming, answer, allowed).catch(() => (answer.headersSent ? answer.destroy() : answer.writeHead(502).end()))
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, gatewayAddress, resolve))
  server.unref()
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The apt proxy has no port.')
  return `http://${gatewayAddress}:${address.port}`
}

/** The hosts in this machine's own apt sources, in either format. */
async function aptHosts(): Promise<Set<string>> {
  const folder = '/etc/apt/sources.list.d'
  const files = ['/etc/apt/sources.list', ...(await readdir(folder).catch(() => [])).map((name) => join(folder, name))]
  const texts = await Promise.all(
    files.filter((file) => /\.(list|sources)$/.test(file)).map((file) => readFile(file, 'utf8').catch(() => '')),
  )
  const lines = texts.flatMap((text) => text.split('\n')).filter((line) => !/^\s*#/.test(line))
  const hosts = lines.flatMap((line) => [...line.matchAll(/http:\/\/([^/\s]+)/g)].map((match) => match[1] ?? ''))
  return new Set(['deb.debian.org', ...hosts])
}

async function serve(incoming: IncomingMessage, answer: ServerResponse, allowed: ReadonlySet<string>): Promise<void> {
  const url = URL.canParse(incoming.url ?? '') ? new URL(incoming.url ?? '') : null
  if (url === null || !allowed.has(url.host) || (incoming.method !== 'GET' && incoming.method !== 'HEAD')) {
    answer.writeHead(403, 'not an apt source').end()
    return
  }
  const lasting = incoming.method === 'GET' && (/\.u?deb$/.test(url.pathname) || url.pathname.includes('/by-hash/'))
  const kept = join(
    packagesFolder,
    `${createHash('sha256').update(url.href).digest('hex').slice(0, 32)}-${basename(url.pathname).slice(0, 80)}`,
  )
  if (lasting && existsSync(kept)) {
    answer.writeHead(200, { 'content-length': statSync(kept).size, 'content-type': 'application/octet-stream' })
    await pipeline(createReadStream(kept), answer)
    return
  }
  const reply = await forward(incoming, url, lasting)
  answer.writeHead(reply.statusCode ?? 502, reply.headers)
  const keeping = lasting && reply.statusCode === 200 ? keep(reply, kept) : null
  await Promise.all([pipeline(reply, answer), keeping])
}

function forward(incoming: IncomingMessage, url: URL, whole: boolean): Promise<IncomingMessage> {
  const headers: Record<string, string | string[] | undefined> = { ...incoming.headers, host: url.host }
  delete headers['proxy-connection']
  if (whole) {
    delete headers.range
    delete headers['if-range']
  }
  return new Promise((resolve, reject) => {
    const outgoing = request({
      agent,
      host: url.hostname,
      port: url.port || 80,
      method: incoming.method,
      path: url.pathname + url.search,
      headers,
    })
    outgoing.once('response', resolve).once('error', reject)
    outgoing.setTimeout(60_000, () => outgoing.destroy(new Error('The apt source is silent.')))
    outgoing.end()
  })
}

/** Writes a reply to a temporary file while passing it on, and renames the file once it is complete. */
async function keep(reply: IncomingMessage, file: string): Promise<void> {
  const unfinished = `${file}.${randomUUID()}`
  const copy = createWriteStream(unfinished)
  reply.on('data', (chunk: Buffer) => copy.write(chunk))
  const whole = await new Promise<boolean>((resolve) => {
    copy.once('error', () => resolve(false))
    reply.once('close', () => copy.end(() => resolve(reply.complete && Number(reply.headers['content-length']) === copy.bytesWritten)))
  })
  await (whole ? rename(unfinished, file) : rm(unfinished, { force: true }))
}
