/** A real host that Ansible and our service both know, to time the same work on it turn by turn. */
import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Host, requireLab, startHost } from '../hosts/lab/lab'
import { register } from '../service/conformance/servers'
import { openTestService, type TestService } from '../service/support/service'

/** Why Ansible cannot be asked here, with a module that does not come with it alone if one is named; null where it can. */
export function ansibleMissing(module?: string): string | null {
  if (spawnSync('ansible', ['--version']).error) return 'ansible is not installed (apt-get install ansible).'
  const known = module === undefined || spawnSync('ansible-doc', ['-t', 'module', module]).status === 0
  return known ? null : `ansible has no ${module} here (apt-get install ansible).`
}

export type Compared = AsyncDisposable & {
  host: Host
  service: TestService
  /** The host's id at the service. */
  id: string
  /** Runs one module there, over the connection Ansible keeps. Rejects with what it said. */
  ansible(module: string, args?: string): Promise<void>
}

export async function openCompared(): Promise<Compared> {
  await requireLab()
  const host = await startHost({ login: { kind: 'root-key' } })
  const service = await openTestService()
  await host.run('apt-get update && apt-get install -y --no-install-recommends python3 ufw')
  const dir = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'))
  const keyFile = join(dir, 'key')
  writeFileSync(keyFile, host.login.pass)
  chmodSync(keyFile, 0o600)
  const { id } = await register(service, { provider: 'ssh', host: host.ip, port: String(host.port), ...host.login }, 'measured')
  return {
    host,
    service,
    id,
    ansible: (module, args) => runAnsible(host, keyFile, ['-m', module, ...(args === undefined ? [] : ['-a', args])]),
    [Symbol.asyncDispose]: async () => {
      rmSync(dir, { recursive: true, force: true })
      await service[Symbol.asyncDispose]()
      await host.stop()
    },
  }
}

function runAnsible(host: Host, keyFile: string, module: readonly string[]): Promise<void> {
  const args = ['all', '-i', `${host.ip},`, '-u', host.login.user, '--private-key', keyFile, ...module]
  const env = { ...process.env, ANSIBLE_HOST_KEY_CHECKING: 'False', ANSIBLE_PYTHON_INTERPRETER: '/usr/bin/python3' }
  return new Promise((resolve, reject) => {
    const child = spawn('ansible', args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
    let said = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk))
    child.once('close', (code) => (code === 0 ? resolve() : reject(new Error(`ansible ended with ${code}: ${said}`))))
  })
}

/** Milliseconds. */
export async function timeMs(work: () => Promise<unknown>): Promise<number> {
  const since = performance.now()
  await work()
  return performance.now() - since
}
