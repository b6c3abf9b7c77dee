/** The summary of a real host against the facts that Ansible gathers of the same host. */
import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Host, requireLab, startHost } from '../hosts/lab/lab'
import { register } from '../service/conformance/servers'
import { get } from '../service/support/caller'
import { openTestService } from '../service/support/service'
import { median } from './figure'
import type { Section } from './report'

const title = 'Summary of a real host'

// An answer is shared with whoever asks within five seconds: each of ours is to be a look at the host.
const sharedMs = 5_500

async function timeMs(work: () => Promise<unknown>): Promise<number> {
  const since = performance.now()
  await work()
  return performance.now() - since
}

function runAnsible(host: Host, keyFile: string): Promise<void> {
  const args = ['all', '-i', `${host.ip},`, '-u', host.login.user, '--private-key', keyFile, '-m', 'setup']
  const env = { ...process.env, ANSIBLE_HOST_KEY_CHECKING: 'False', ANSIBLE_PYTHON_INTERPRETER: '/usr/bin/python3' }
  return new Promise((resolve, reject) => {
    const child = spawn('ansible', args, { env, stdio: ['ignore', 'ignore', 'pipe'] })
    let said = ''
    child.stderr.on('data', (chunk) => (said += chunk))
    child.once('close', (code) => (code === 0 ? resolve() : reject(new Error(`ansible ended with ${code}: ${said}`))))
  })
}

export async function measureSummary(): Promise<Section> {
  if (spawnSync('ansible', ['--version']).error)
    return { title, how: '', figures: [], leftOut: 'ansible is not installed (apt-get install ansible-core).' }
  await requireLab()
  await using host = await startHost({ login: { kind: 'root-key' } })
  await using service = await openTestService()
  await host.run('apt-get update && apt-get install -y --no-install-recommends python3')
  const dir = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'))
  try {
    const keyFile = join(dir, 'key')
    writeFileSync(keyFile, host.login.pass)
    chmodSync(keyFile, 0o600)
    const machine = { provider: 'ssh', host: host.ip, port: String(host.port), ...host.login }
    const { id } = await register(service, machine, 'measured')
    const ours: number[] = []
    const theirs: number[] = []
    for (let run = 0; run < 6; run += 1) {
      await delay(sharedMs)
      ours.push(await timeMs(() => get(service, `/servers/${id}/summary`)))
      theirs.push(await timeMs(() => runAnsible(host, keyFile)))
    }
    return {
      title,
      how: 'The service over its kept connection against `ansible -m setup` with its own kept connection, turn by turn; medians.',
      figures: [
        { what: 'summary', value: median(ours), unit: 'ms' },
        { what: 'ansible -m setup', value: median(theirs), unit: 'ms' },
        { what: 'faster by', value: median(theirs) / median(ours), unit: 'times', target: 10, floor: 10, more: true },
      ],
    }
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}
