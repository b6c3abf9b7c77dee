/** A new sandbox server: a minimal Debian 12 with nothing else installed. */

import { addressesOf } from './host'
import { foreignPackages } from './kept'
import type { SandboxModel } from './model'

const gibibyte = 1024 ** 3

const basePackages: Record<string, string> = {
  'base-files': '12.4+deb12u8',
  bash: '5.2.15-2+b7',
  cron: '3.0pl1-162',
  'linux-image-amd64': '6.1.119-1',
  'openssh-server': '1:9.2p1-2+deb12u3',
  openssl: '3.0.15-1~deb12u1',
  systemd: '252.31-1~deb12u1',
  tzdata: '2024a-0+deb12u1',
}

const behaviours = { 'slow-': 'slow', 'fail-': 'failing', 'flaky-': 'flaky', 'lived-': 'lived' } as const

function behaviourOf(name: string): SandboxModel['temper'] {
  const found = Object.entries(behaviours).find(([prefix]) => name.startsWith(prefix))
  return found?.[1] ?? 'plain'
}

const hostnameOf = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 63) || 'sandbox'

/** A new server that booted a moment ago. Its name decides how it behaves. */
export function createModel({ name, host, user, nowMs }: { name: string; host: string; user: string; nowMs: number }): SandboxModel {
  const behaviour = behaviourOf(name)
  return {
    version: 1,
    temper: behaviour,
    rekeyed: host.toLowerCase() === 'changed.test',
    former: host.toLowerCase().startsWith('old.'),
    outdated: host.toLowerCase().startsWith('old.'),
    hostname: hostnameOf(name),
    ...addressesOf(host),
    timezone: 'Etc/UTC',
    kernel: '6.1.0-28-amd64',
    cpu: 'Simulated CPU',
    cores: 2,
    memoryBytes: 2 * gibibyte,
    diskBytes: 40 * gibibyte,
    bootedAtMs: nowMs - 240_000,
    packages: { ...basePackages, ...(behaviour === 'lived' && foreignPackages) },
    upgradable: { openssl: true, systemd: false, tzdata: false },
    services: { 'ssh.service': 'running', 'cron.service': 'running' },
    serviceStarts: {},
    files: {
      '/etc/os-release': 'PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\nID=debian\nVERSION_ID="12"\n',
      '/etc/hosts': '127.0.0.1\tlocalhost\n',
    },
    users: [...new Set(['root', user])],
    crontabs: {},
    removedJobs: '',
    firewall: { active: false, rules: [], rules6: [], removed: '' },
    mailQueue: '',
    backups: '',
    backupRun: '',
    livedUntilMs: null,
    events: [],
    rebootRequired: false,
    installs: 0,
    summaries: 0,
    lines: [],
    job: null,
    mailPorts: [],
    sites: [],
    siteJobs: [],
    siteBackups: [],
    downloads: [],
  }
}
