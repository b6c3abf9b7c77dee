/** The proxies of deploy/ in front of Gatehouse on a host, as docs/running.md describes, with TLS, and a client that trusts their CA. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { Agent, request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Answer, Caller, Sent } from '../browser/security/caller'
import { mustRun } from './lab/command'
import type { Host } from './lab/lab'

export const portalName = 'portal.example.com'

/** The address that every request claims to come from. */
export const claimedAddress = '203.0.113.99'

/** Returns the command's output; throws with it if the command fails. */
export async function must(host: Host, command: string, stdin?: string): Promise<string> {
  const { code, stdout, stderr } = await host.run(command, stdin === undefined ? {} : { stdin })
  if (code !== 0) throw new Error(`${command} ended with ${code}: ${stdout}${stderr}`)
  return stdout
}

/** Creates a CA and the portal's certificate signed by it. */
export async function makeCertificate(): Promise<{ ca: string; certificate: string; key: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-tls-'))
  const at = (name: string) => join(folder, name)
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  try {
    await mustRun('openssl', ['req', '-x509', ...newKey, '-subj', '/CN=Lab CA', '-keyout', at('ca.key'), '-out', at('ca.crt')])
    const issuer = ['-CA', at('ca.crt'), '-CAkey', at('ca.key'), '-addext', `subjectAltName=DNS:${portalName}`]
    const leaf = ['-addext', 'basicConstraints=CA:FALSE', '-subj', `/CN=${portalName}`, '-keyout', at('leaf.key'), '-out', at('leaf.crt')]
    await mustRun('openssl', ['req', '-x509', ...newKey, ...issuer, ...leaf])
    const read = (name: string) => readFileSync(at(name), 'utf8')
    return { ca: read('ca.crt'), certificate: read('leaf.crt'), key: read('leaf.key') }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Starts nginx with the file of deploy/nginx as it is, and a certificate for its name. Resolves with the CA to trust. */
export async function installNginx(host: Host): Promise<string> {
  const { ca, certificate, key } = await makeCertificate()
  await must(host, 'apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends nginx-light')
  await must(host, 'install -d -m 700 /etc/ssl/gatehouse && cat >/etc/ssl/gatehouse/portal.crt', certificate)
  await must(host, 'umask 077; cat >/etc/ssl/gatehouse/portal.key', key)
  await must(
    host,
    'rm /etc/nginx/sites-enabled/default; cat >/etc/nginx/sites-enabled/gatehouse.conf',
    readFileSync('deploy/nginx/gatehouse.conf', 'utf8'),
  )
  await must(host, 'nginx -t && systemctl restart nginx')
  return ca
}

/** Replaces nginx with Caddy and the file of deploy/caddy. Only the certificate is ours, because no public CA knows the lab. */
export async function changeToCaddy(host: Host): Promise<void> {
  await must(host, 'systemctl disable -q --now nginx; DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends caddy')
  await must(host, 'install -m 640 -g caddy -t /etc/caddy /etc/ssl/gatehouse/portal.crt /etc/ssl/gatehouse/portal.key')
  const certificate = '/^portal.example.com {/a tls /etc/caddy/portal.crt /etc/caddy/portal.key'
  await must(host, `sed '${certificate}' >/etc/caddy/Caddyfile; systemctl restart caddy`, readFileSync('deploy/caddy/Caddyfile', 'utf8'))
}

export type TlsCaller = Caller & {
  /** The body of an answer as it arrives. */
  open(path: string, cookie: string): Promise<IncomingMessage>
}

/** Sends HTTPS requests to the host under the portal's name, trusting only that CA, with a forged X-Forwarded-For. */
export function createTlsCaller(host: Host, ca: string): TlsCaller {
  const agent = new Agent({ keepAlive: true, ca, servername: portalName })
  const begin = (path: string, { method = 'GET', headers = {}, cookie, body }: Sent) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const all = { host: portalName, 'x-forwarded-for': claimedAddress, ...(cookie !== undefined && { cookie }), ...headers }
      request({ host: host.ip, port: 443, agent, method, path, headers: all }, resolve).once('error', reject).end(body)
    })
  const call = async (path: string, sent: Sent = {}): Promise<Answer> => {
    const response = await begin(path, sent)
    const chunks: Buffer[] = []
    for await (const chunk of response) chunks.push(chunk)
    return { status: response.statusCode ?? 0, headers: response.headers, text: Buffer.concat(chunks).toString() }
  }
  const open = (path: string, cookie: string) => begin(path, { cookie })
  return { origin: `https://${portalName}`, call, open, recorded: () => '', [Symbol.dispose]: () => agent.destroy() }
}
