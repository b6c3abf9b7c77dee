/** nginx with its default settings in front of a portal, gzip switched on for everything. */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export type Nginx = Disposable & { program: string; dir: string }

/** Debian's package, unpacked into a folder of its own: nothing is installed. Null where that cannot be had. */
export function findNginx(): Nginx | null {
  const dir = mkdtempSync(join(tmpdir(), 'gatehouse-nginx-'))
  const clear = () => rmSync(dir, { recursive: true, force: true })
  const made = { dir, [Symbol.dispose]: clear }
  if (existsSync('/usr/sbin/nginx')) return { ...made, program: '/usr/sbin/nginx' }
  spawnSync('sh', ['-c', 'apt-get download -qq nginx && dpkg -x nginx_*.deb .'], { cwd: dir })
  const program = join(dir, 'usr/sbin/nginx')
  if (existsSync(program) && spawnSync(program, ['-v']).status === 0) return { ...made, program }
  clear()
  return null
}

const configuration = (port: number, portalPort: number) => `
daemon off;
pid nginx.pid;
error_log stderr;
events {}
http {
  access_log off;
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
}
`

/** Starts it on a port of this machine and resolves when it answers. */
export async function startNginx({ program, dir }: Nginx, port: number, portalPort: number): Promise<AsyncDisposable> {
  writeFileSync(join(dir, 'nginx.conf'), configuration(port, portalPort))
  const child = spawn(program, ['-e', 'stderr', '-p', dir, '-c', join(dir, 'nginx.conf')], { stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.on('data', (chunk) => (said += chunk))
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  for (let tries = 0; ; tries += 1) {
    const answers = await fetch(`http://127.0.0.1:${port}/api/health`).catch(() => null)
    if (answers) break
    if (child.exitCode !== null || tries > 100) throw new Error(`nginx does not answer: ${said}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return {
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      await ended
    },
  }
}
