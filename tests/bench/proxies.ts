/** Proxies before a service to hold the portal against: one bare in Node, and nginx where it is installed. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { findFreePort } from '../support/gatehouse-process'

export type Proxy = AsyncDisposable & { port: number; pid: number }

async function end(child: ChildProcess): Promise<void> {
  const gone = once(child, 'close')
  child.kill('SIGTERM')
  await gone
}

export async function startBareProxy(targetPort: number): Promise<Proxy> {
  const child = spawn(process.execPath, ['tests/bench/bare-proxy.mjs', String(targetPort)], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = await once(child.stdout, 'data')
  return { port: Number(String(line)), pid: child.pid ?? Number.NaN, [Symbol.asyncDispose]: () => end(child) }
}

async function listens(port: number): Promise<void> {
  for (;;) {
    const socket = connect(port, '127.0.0.1')
    const open = await Promise.race([once(socket, 'connect').then(() => true), once(socket, 'error').then(() => false)]).catch(() => false)
    socket.destroy()
    if (open) return
    await delay(20)
  }
}

/** Null where nginx is not installed. */
export async function startNginx(targetPort: number): Promise<Proxy | null> {
  if (spawnSync('nginx', ['-v']).error) return null
  const dir = mkdtempSync(join(tmpdir(), 'gatehouse-nginx-'))
  const port = await findFreePort()
  const conf = `daemon off; worker_processes 1; pid ${dir}/pid; error_log ${dir}/error.log;
    events { worker_connections 512; }
    http {
      access_log off; client_body_temp_path ${dir}/body; proxy_temp_path ${dir}/proxy;
      fastcgi_temp_path ${dir}/fcgi; uwsgi_temp_path ${dir}/uwsgi; scgi_temp_path ${dir}/scgi;
      upstream service { server 127.0.0.1:${targetPort}; keepalive 16; }
      server { listen 127.0.0.1:${port}; location / { proxy_pass http://service; proxy_http_version 1.1; proxy_set_header Connection ""; } }
    }`
  writeFileSync(join(dir, 'nginx.conf'), conf)
  const child = spawn('nginx', ['-c', join(dir, 'nginx.conf'), '-p', dir], { stdio: 'ignore' })
  await listens(port)
  const close = async () => {
    await end(child)
    rmSync(dir, { recursive: true, force: true })
  }
  return { port, pid: child.pid ?? Number.NaN, [Symbol.asyncDispose]: close }
}
