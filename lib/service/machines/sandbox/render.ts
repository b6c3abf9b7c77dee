/** A sandbox server as text, in the output format of summary.bash. */
import { failingCertificates } from './certificates'
import { eventsOf } from './events'
import { readKept } from './kept'
import type { SandboxModel } from './model'
import { outdatedSites } from './upgrade'

const mebibyte = 1024 ** 2
const systemBytes = 1400 * mebibyte
const packageBytes = 38 * mebibyte
const idleMemoryBytes = 140 * mebibyte
const serviceMemoryBytes = 22 * mebibyte

const versionOf = (machine: SandboxModel, pattern: RegExp): string =>
  Object.entries(machine.packages).find(([name]) => pattern.test(name))?.[1] ?? ''

/** A sandbox server has UFW once it was installed or given a rule. */
const firewallOf = ({ packages, firewall: { active, rules } }: SandboxModel): string =>
  active ? 'on' : 'ufw' in packages || rules.length > 0 ? 'off' : ''

const foreignLinks = ({ sites }: SandboxModel): string[] =>
  sites.flatMap(({ domain }) => (domain.startsWith('linked.') ? [`${domain}:media`] : []))

/** By what is installed and what runs. In bytes; running: how many services do. */
export function usageOf({ files, packages, services }: SandboxModel): { diskUsed: number; memoryUsed: number; running: number } {
  const fileBytes = Object.values(files).reduce((sum, text) => sum + Buffer.byteLength(text), 0)
  const running = Object.values(services).filter((state) => state === 'running').length
  return {
    diskUsed: systemBytes + Object.keys(packages).length * packageBytes + fileBytes,
    memoryUsed: idleMemoryBytes + running * serviceMemoryBytes,
    running,
  }
}

/** Lines of a name, a tab and a value, as on a real server; sizes depend on what is installed and running. */
export function renderFacts(machine: SandboxModel, nowMs: number): string {
  const units = Object.entries(machine.services)
  const failed = units.flatMap(([name, state]) => (state === 'failed' ? [name] : []))
  const { diskUsed, memoryUsed, running } = usageOf(machine)
  const facts: [name: string, value: string | number][] = [
    ['hostname', machine.hostname],
    ['kernel', machine.kernel],
    ['cores', machine.cores],
    ['cpu', machine.cpu],
    ['uptime_seconds', Math.floor((nowMs - machine.bootedAtMs) / 1000)],
    ['ip', machine.ipv4],
    ['ipv6', machine.ipv6],
    ['disk_total', machine.diskBytes],
    ['disk_space', diskUsed],
    ['disk_free', machine.diskBytes - diskUsed],
    ['mem_total', machine.memoryBytes],
    ['mem_free', machine.memoryBytes - memoryUsed],
    ['timezone', machine.timezone],
    ['load', (running / 20).toFixed(2)],
    ['reboot_required', machine.rebootRequired ? 'yes' : ''],
    ['failed_units', failed.join(' ')],
    ['failing_certificates', failingCertificates(machine).join(' ')],
    ['foreign_links', foreignLinks(machine).join(' ')],
    ['outdated_server', machine.outdated ? 'yes' : ''],
    ['outdated_sites', outdatedSites(machine).join(' ')],
    ...eventsOf(machine, nowMs).map((event, index): [string, string] => [`event_${index + 1}`, event]),
    ...readKept(machine).map(({ part, reason }): [string, string] => [`kept_${part}`, reason]),
    ['firewall', firewallOf(machine)],
    ['apache', versionOf(machine, /^apache2$/)],
    ['mariadb', versionOf(machine, /^mariadb-server$/)],
    ['php', versionOf(machine, /^php[\d.]+-fpm$/)],
    ['updates', Object.keys(machine.upgradable).length],
    ['security_updates', Object.values(machine.upgradable).filter(Boolean).length],
  ]
  return facts.map(([name, value]) => `${name}\t${value}\n`).join('')
}
