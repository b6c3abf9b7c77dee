/** What a host answers to clients outside: one entry per listener in its own protocol, so that equal answers give equal texts. */
import { createHash } from 'node:crypto'
import { request } from 'node:http'
import { createConnection } from 'node:net'
import type { Host } from '../lab/lab'
import { loginToDatabase } from './database-login'

export type Listeners = {
  /** Every port that is tested, whether or not it is open. */
  ports: readonly number[]
  /** Pages, as `http://name:port/path`: the name goes into the Host header, the connection to the host. */
  pages: readonly string[]
  /** A login to the database over the network. */
  database?: { user: string; password: string }
}

const patienceMs = 2_500

/** SSH, mail and the database send the first line, on a busy machine after a while; the others wait for a request. */
const bannerMs = (port: number) => ([22, 25, 3306].includes(port) ? 15_000 : 500)

/** One line for each listener; `outsider` is another address that tests the same ports. */
export async function collectAnswers(host: Host, outsider: Host, { ports, pages, database }: Listeners): Promise<string[]> {
  const answers = await Promise.all([
    ...ports.map(async (port) => `${port}: ${await readBanner(host.ip, port)}`),
    ...pages.map(async (page) => `${page}: ${await readPage(host.ip, new URL(page))}`),
    ...(database ? [loginToDatabase(host.ip, database).then((said) => `${database.user} at 3306: ${said}`)] : []),
    tryFrom(outsider, host.ip, ports),
  ])
  return answers.flat()
}

/** `refused`, `silent` (no answer to the connection), `open`, or the first line that the server sends unasked, without its date. */
function readBanner(address: string, port: number): Promise<string> {
  return new Promise((resolve) => {
    const socket = createConnection({ host: address, port, timeout: patienceMs })
    let open = false
    const end = (said: string) => {
      socket.destroy()
      resolve(said)
    }
    socket
      .once('connect', () => {
        open = true
        socket.setTimeout(bannerMs(port))
      })
      .once('data', (bytes) => end(/^[\x20-\x7e]+/.exec(bytes.toString('latin1'))?.[0].replace(/ \w{3}, \d+ \w{3} \d{4}.*/, '') ?? 'open'))
      .once('timeout', () => end(open ? 'open' : 'silent'))
      .once('error', (error: NodeJS.ErrnoException) => end(error.code === 'ECONNREFUSED' ? 'refused' : String(error.code)))
  })
}

/** Status, server header, the beginning of the page, and its hash. */
function readPage(address: string, { host, port, pathname }: URL): Promise<string> {
  return new Promise((resolve) => {
    const outgoing = request({ host: address, port: port || 80, path: pathname, headers: { host }, agent: false, timeout: patienceMs })
    outgoing.once('error', (error) => resolve(error.message.replaceAll(address, 'the host')))
    outgoing.once('timeout', () => outgoing.destroy(new Error('silent')))
    outgoing.once('response', (reply) => {
      const chunks: Buffer[] = []
      reply.on('data', (chunk: Buffer) => chunks.push(chunk))
      reply.once('end', () => {
        const page = Buffer.concat(chunks)
        const hash = createHash('sha256').update(page).digest('hex').slice(0, 16)
        resolve(`${reply.statusCode} ${reply.headers.server} “${page.toString().split('\n')[0]?.slice(0, 50)}” ${hash}`)
      })
    })
    outgoing.end()
  })
}

/** Whether the ports are open to another host of the lab. */
async function tryFrom(outsider: Host, address: string, ports: readonly number[]): Promise<string[]> {
  const { stdout } = await outsider.run(`for port in ${ports.join(' ')}; do
      { timeout ${patienceMs / 1000} bash -c "exec 3<>/dev/tcp/${address}/$port" 2>/dev/null
        case $? in 0) said=open ;; 124) said=silent ;; *) said=refused ;; esac
        echo "$port from another address: $said"; } &
    done; wait`)
  return stdout.trim().split('\n').sort()
}
