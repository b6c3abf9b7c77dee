/** nginx with its default settings in front of a portal, gzip switched on for everything. */
import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemPath } from '../run/packages.mjs'

export type Nginx = Disposable & { program: string; dir: string }

/**
 * Fetches the package, and those it depends on that are not installed; reads apt's lists again only when they do not do.
 * An nginx that is installed is fetched as well: every machine tests with the same one.
 */
const fetchPackages = `set -e
mkdir partial
fetch() {
  apt-get install -y -qq --download-only --reinstall --no-install-recommends \\
    -o Dir::Cache::archives="$PWD" -o APT::Sandbox::User=root -o Debug::NoLocking=1 nginx
}
fetch || { apt-get update -qq; fetch; }
rm -f libc6_*.deb
for package in *.deb; do dpkg -x "$package" .; done`

/** Debian's nginx, unpacked into a folder for itself: nothing is installed. Null where there is no apt; throws with apt's words. */
export function findNginx(): Nginx | null {
  if (!existsSync('/usr/bin/apt-get')) return null
  const dir = mkdtempSync(join(tmpdir(), 'gatehouse-nginx-'))
  const clear = () => rmSync(dir, { recursive: true, force: true })
  const { stderr } = spawnSync('sh', ['-c', fetchPackages], { cwd: dir, env: { ...process.env, PATH: systemPath }, encoding: 'utf8' })
  const program = join(dir, 'usr/sbin/nginx')
  if (!existsSync(program)) {
    clear()
    throw new Error(`nginx could not be fetched: ${stderr}`)
  }
  // Its workers run as another user where this is root.
  chmodSync(dir, 0o755)
  return { program, dir, [Symbol.dispose]: clear }
}

/** Where the libraries lie that came with it. */
const librariesOf = (dir: string): string =>
  ['lib', 'usr/lib']
    .map((folder) => join(dir, folder))
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder).flatMap((name) => (name.includes('-linux-') ? [join(folder, name)] : [])))
    .join(':')

/** What nginx keeps on disk meanwhile. The package's own folders for it are made when it is installed. */
const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `  ${name}_temp_path ${name};`).join('\n')

const configuration = (port: number, portalPort: number) => `
daemon off;
pid nginx.pid;
error_log stderr;
events {}
http {
${temporary}
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
  const child = spawn(program, ['-e', 'stderr', '-p', dir, '-c', join(dir, 'nginx.conf')], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, LD_LIBRARY_PATH: librariesOf(dir) },
  })
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
