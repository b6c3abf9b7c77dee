/**
 * A certificate authority for lab hosts, with its own name server:
 *
 *     await using authority = await startAuthority()
 *     await authority.serveNames(host)                          // the host now resolves the names below
 *     await authority.addAddresses('site.test', [host.ip], [await giveIpv6(host)])
 *     authority.directory, authority.roots                      // what an ACME client needs
 *     await authority.chainRoot()                               // what a browser needs that trusts its certificates
 *
 * It is Debian's pebble. It validates the real ports 80 and 443, and like public authorities it asks over IPv6 if a name has an IPv6
 * address; unlike them it asks the first address only and does not look at CAA. It ends with this process.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { isOpen } from '../../support/open-port.ts'
import { type Directory, readText, serveDirectory } from './authority-directory.ts'
import { mustRun } from './command.ts'
import type { Host } from './host.ts'
import { requireLab } from './lab.ts'
import { type Namespace, startNamespace } from './namespace.ts'
import { gatewayAddress, ipv6Of, linkProcess, raiseBridge } from './network.ts'
import { script } from './places.ts'

export type Authority = AsyncDisposable & {
  /** The URL of its ACME directory. */
  directory: string
  /** PEM of the certificate that its ACME addresses are verified against. */
  roots: string
  /** IP:PORT of its name server, which knows only names that were added, and no MX records. */
  dnsAddress: string
  /** PEM of the certificate that the certificates which it issues are verified against. */
  chainRoot(): Promise<string>
  /** Makes a host ask its name server and no other. */
  serveNames(host: Host): Promise<void>
  /** Adds addresses to those of a name. */
  addAddresses(name: string, ipv4: readonly string[], ipv6?: readonly string[]): Promise<void>
  /** Adds CAA records to those of a name. */
  addCaa(name: string, records: readonly CaaRecord[]): Promise<void>
  /** Removes a name. */
  clear(name: string): Promise<void>
  /** Ends it, and its name server too. `await using` does this too. */
  stop(): Promise<void>
}

export type CaaRecord = { tag: 'issue' | 'issuewild' | 'iodef'; value: string }

export type AuthorityOptions = {
  /** How long its certificates are valid; default 90 days. */
  lifeSeconds?: number
  /** Its names in CAA records; default `authority.test`. */
  caaIdentities?: readonly string[]
}

const acmePort = 14_000
const managementPort = 15_000
const namesPort = 8055

/** Starts one. Any number of them may run at once: each has its own address on the bridge. Throws LabMissing. */
export async function startAuthority({
  lifeSeconds = 90 * 86_400,
  caaIdentities = ['authority.test'],
}: AuthorityOptions = {}): Promise<Authority> {
  await requireLab()
  await raiseBridge()
  const space = await startNamespace(['--net', '--pid', '--fork', '--kill-child=KILL'], ['bash', script('authority.sh')])
  const folder = await mkdtemp(join(tmpdir(), 'lab-authority-'))
  try {
    const { address } = await linkProcess(space.pid)
    await certify(folder, address)
    await writeFile(join(folder, 'pebble.json'), JSON.stringify(configure(folder, address, lifeSeconds)))
    space.tell([address, ipv6Of(address), folder].join('\n'))
    for (const port of [53, namesPort, managementPort, acmePort]) await waitForPort(space, address, port)
    const [roots, certificate, key] = await Promise.all(
      ['root.pem', 'cert.pem', 'key.pem'].map((name) => readFile(join(folder, name), 'utf8')),
    )
    if (!roots || !certificate || !key) throw new Error('openssl wrote no certificate.')
    const directory = await serveDirectory({ pebble: `https://${address}:${acmePort}/dir`, caaIdentities, key, certificate, roots })
    return holdAuthority(space, { address, directory, roots })
  } catch (error) {
    await space.kill()
    throw error
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Gives a host an IPv6 address, at which the lab reaches it. Resolves with the address. */
export async function giveIpv6(host: Host): Promise<string> {
  const address = ipv6Of(host.ip)
  await requireSuccess(host, `ip -6 addr add ${address}/64 dev eth0 nodad`)
  return address
}

function holdAuthority(
  space: Namespace,
  { address, directory, roots }: { address: string; directory: Directory; roots: string },
): Authority {
  const post = async (path: string, body: object) => {
    const reply = await fetch(`http://${address}:${namesPort}/${path}`, { method: 'POST', body: JSON.stringify(body) })
    if (!reply.ok) throw new Error(`The lab's name server answered ${reply.status} to ${path}: ${await reply.text()}`)
  }
  const stop = async () => {
    directory.close()
    await space.kill()
  }
  return {
    directory: directory.url,
    roots,
    dnsAddress: `${address}:53`,
    chainRoot: () => readText(`https://${address}:${managementPort}/roots/0`, roots),
    serveNames: (host) => requireSuccess(host, `echo 'nameserver ${address}' >/etc/resolv.conf`),
    addAddresses: async (host, ipv4, ipv6 = []) => {
      if (ipv4.length > 0) await post('add-a', { host, addresses: ipv4 })
      if (ipv6.length > 0) await post('add-aaaa', { host, addresses: ipv6 })
    },
    addCaa: (host, policies) => post('add-caa', { host, policies }),
    clear: async (host) => {
      for (const kind of ['a', 'aaaa', 'caa']) await post(`clear-${kind}`, { host })
    },
    stop,
    [Symbol.asyncDispose]: stop,
  }
}

/** What pebble reads when it starts. */
const configure = (folder: string, address: string, lifeSeconds: number): object => ({
  pebble: {
    listenAddress: `${address}:${acmePort}`,
    managementListenAddress: `${address}:${managementPort}`,
    certificate: join(folder, 'cert.pem'),
    privateKey: join(folder, 'key.pem'),
    httpPort: 80,
    tlsPort: 443,
    certificateValidityPeriod: lifeSeconds,
  },
})

/** Makes the certificate of the ACME addresses, `cert.pem`, and `root.pem`, which verifies it. */
async function certify(folder: string, address: string): Promise<void> {
  const create = (name: string, key: string, options: readonly string[]) =>
    mustRun('openssl', [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:prime256v1',
      '-nodes',
      '-days',
      '30',
      '-subj',
      `/CN=lab ${name}`,
      '-keyout',
      join(folder, key),
      '-out',
      join(folder, `${name}.pem`),
      ...options,
    ])
  await create('root', 'root-key.pem', ['-addext', 'keyUsage=critical,keyCertSign,cRLSign'])
  await create('cert', 'key.pem', [
    '-CA',
    join(folder, 'root.pem'),
    '-CAkey',
    join(folder, 'root-key.pem'),
    '-addext',
    'basicConstraints=critical,CA:FALSE',
    '-addext',
    'extendedKeyUsage=serverAuth',
    '-addext',
    `subjectAltName=IP:${address},IP:${gatewayAddress}`,
  ])
}

async function waitForPort(space: Namespace, address: string, port: number): Promise<void> {
  for (let tries = 0; !(await isOpen(address, port)); tries++) {
    if (space.ended() !== null || tries > 200)
      throw new Error(`The lab's certificate authority does not answer at port ${port}. ${space.ended() ?? space.said()}`)
    await pause(50)
  }
}

async function requireSuccess(host: Host, command: string): Promise<void> {
  const { code, stderr } = await host.run(command)
  if (code !== 0) throw new Error(`The host could not run “${command}”: ${stderr}`)
}
