/** nginx on a port of this machine. */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Unpacked, unpackPackage } from './unpacked-package'

/** Debian's nginx, unpacked into a folder for itself. Null where there is no apt; throws with apt's words. */
export const findNginx = (): Unpacked | null => unpackPackage('nginx', 'usr/sbin/nginx')

/** Where the libraries lie that came with it. */
const librariesOf = (dir: string): string =>
  ['lib', 'usr/lib']
    .map((folder) => join(dir, folder))
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder).flatMap((name) => (name.includes('-linux-') ? [join(folder, name)] : [])))
    .join(':')

/** What nginx keeps on disk meanwhile. The package's own folders for it are made when it is installed. */
const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `  ${name}_temp_path ${name};`).join('\n')

const aroundServer = `
daemon off;
pid nginx.pid;
error_log stderr;
events {}
http {
${temporary}
  access_log off;
`

/** In front of a portal, with gzip switched on for everything. */
const plainServer = (port: number, portalPort: number) => `
  gzip on;
  gzip_types *;
  gzip_min_length 0;
  gzip_proxied any;
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://127.0.0.1:${portalPort};
      proxy_set_header Host $http_host;
    }
  }
`

/** Starts it with what stands within `http` of its configuration. */
export function runNginx({ program, dir }: Unpacked, within: string): ChildProcess {
  writeFileSync(join(dir, 'nginx.conf'), `${aroundServer}${within}}\n`)
  return spawn(program, ['-e', 'stderr', '-p', dir, '-c', join(dir, 'nginx.conf')], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, LD_LIBRARY_PATH: librariesOf(dir) },
  })
}

/** Starts it with its default settings in front of a portal, gzip switched on for everything, and resolves when it answers. */
export async function startNginx(nginx: Unpacked, port: number, portalPort: number): Promise<AsyncDisposable> {
  const child = runNginx(nginx, plainServer(port, portalPort))
  let said = ''
  child.stderr?.on('data', (chunk) => (said += chunk))
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  for (let tries = 0; ; tries += 1) {
    const answers = await fetch(`http://127.0.0.1:${port}/api/health`).catch(() => null)
    if (answers) break
    if (child.exitCode !== null || tries > 100) throw new Error(`nginx does not answer: ${said}`)
    await delay(100)
  }
  return {
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      await ended
    },
  }
}
