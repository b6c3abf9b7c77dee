/** The files of deploy/ for two portals, run by the programs that they are for, on ports of this machine. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { makeCertificate, portalName } from '../hosts/deployment'
import { findFreePort } from './gatehouse-process'
import { findNginx, runNginx } from './nginx'
import { type Unpacked, unpackPackage } from './unpacked-package'

/** ca: the certificate to trust. */
export type PortalsProxy = AsyncDisposable & { port: number; ca: string; printed(): string }

type Plan = { dir: string; port: number; certificate: string; key: string }

/** Replaces each text, which has to be there. */
function replaceAll(text: string, replacements: readonly (readonly [string | RegExp, string])[]): string {
  return replacements.reduce((changed, [from, to]) => {
    const next = changed.replaceAll(from, to)
    if (next === changed) throw new Error(`The file has no ${from}.`)
    return next
  }, text)
}

const atPortals = ([first, second]: readonly [number, number]) =>
  [
    ['192.0.2.11:3000', `127.0.0.1:${first}`],
    ['192.0.2.12:3000', `127.0.0.1:${second}`],
  ] as const

function startAsNginx(unpacked: Unpacked, portals: readonly [number, number], { port, certificate, key }: Plan): ChildProcess {
  const within = replaceAll(readFileSync('deploy/nginx/gatehouse-two-portals.conf', 'utf8'), [
    ...atPortals(portals),
    // The server that sends browsers from http to https.
    [/server \{\n {4}listen 80;[^}]*\}\n/g, ''],
    [/ {4}listen \[::\]:443 .*\n/g, ''],
    ['listen 443 ', `listen 127.0.0.1:${port} `],
    ['/etc/ssl/gatehouse/portal.crt', certificate],
    ['/etc/ssl/gatehouse/portal.key', key],
  ])
  return runNginx(unpacked, within)
}

function startAsCaddy({ program, dir }: Unpacked, portals: readonly [number, number], { port, certificate, key }: Plan): ChildProcess {
  const site = `portal.example.com:${port} {\n\tbind 127.0.0.1\n\ttls ${certificate} ${key}`
  const file = replaceAll(readFileSync('deploy/caddy/Caddyfile.two-portals', 'utf8'), [
    ...atPortals(portals),
    [/^portal\.example\.com \{/gm, site],
  ])
  writeFileSync(join(dir, 'Caddyfile'), `{\n\tadmin off\n\tauto_https disable_redirects\n}\n${file}`)
  const env = { ...process.env, HOME: dir, XDG_DATA_HOME: dir, XDG_CONFIG_HOME: dir }
  return spawn(program, ['run', '--config', join(dir, 'Caddyfile'), '--adapter', 'caddyfile'], { env, stdio: ['ignore', 'ignore', 'pipe'] })
}

/** The programs by name, fetched when they are asked for. Null where there is no apt. */
export const proxies = {
  nginx: { find: findNginx, start: startAsNginx },
  Caddy: { find: () => unpackPackage('caddy', 'usr/bin/caddy'), start: startAsCaddy },
} as const

async function isOpen(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  const answered = await Promise.race([once(socket, 'connect').then(() => true), once(socket, 'error').then(() => false)]).catch(
    () => false,
  )
  socket.destroy()
  return answered
}

/** portals: their ports. Resolves once it listens; throws with what it printed if it ends. */
export async function startProxy(
  name: keyof typeof proxies,
  unpacked: Unpacked,
  portals: readonly [number, number],
): Promise<PortalsProxy> {
  const { ca, certificate, key } = await makeCertificate()
  const folder = join(unpacked.dir, 'tls')
  mkdirSync(folder, { recursive: true })
  const plan = { dir: unpacked.dir, port: await findFreePort(), certificate: join(folder, 'portal.crt'), key: join(folder, 'portal.key') }
  writeFileSync(plan.certificate, certificate)
  writeFileSync(plan.key, key)
  const child = proxies[name].start(unpacked, portals, plan)
  let printed = ''
  child.stderr?.on('data', (chunk) => (printed += chunk))
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  while (!(await isOpen(plan.port))) {
    if (child.exitCode !== null) throw new Error(`${name} ended: ${printed}`)
    await delay(50)
  }
  return {
    port: plan.port,
    ca,
    printed: () => printed,
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGTERM')
      await ended
    },
  }
}

export { portalName }
