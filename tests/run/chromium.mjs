/** The browser that the browser tests drive. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/** Where tests/support/chromium.ts looks for it. */
const programs = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
const installed = () => programs.some((program) => existsSync(program))

/** Why there is no Chromium, null when there is one. Installs Debian's where this is root with apt-get, and only there. */
export function chromiumMissing() {
  if (installed()) return null
  const command = 'apt-get install -y --no-install-recommends chromium'
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return `there is no Chromium in /usr/bin; on Debian: sudo ${command}`
  const run = spawnSync('sh', ['-c', `apt-get update -qq; ${command} -qq`], {
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  })
  return installed() ? null : `Chromium could not be installed: ${run.stderr.trim().split('\n').at(-1) ?? ''}`
}
