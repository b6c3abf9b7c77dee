/** What an install of a sandbox server leaves as it found it, as a real one records it in its manifest. */
import type { KeptPart } from '../machine'
import type { SandboxModel } from './model'

const manifest = '/etc/gatehouse/manifest'

/** A foreign package, the part it occupies, and what the install says about it. */
const foreign: readonly ({ package: string } & KeptPart)[] = [
  { package: 'exim4-daemon-light', part: 'mail', reason: 'Exim is the mail server here; Postfix is not installed.' },
  { package: 'nftables', part: 'firewall', reason: 'nftables is the firewall here; UFW is not set up.' },
]

/** What a lived-in server comes with. */
export const foreignPackages: Readonly<Record<string, string>> = { 'exim4-daemon-light': '4.96-15+deb12u6', nftables: '1.0.6-2+deb12u2' }

/** What an install that begins now would keep. */
export function findKept(machine: SandboxModel): KeptPart[] {
  return foreign.flatMap(({ package: name, part, reason }) => (machine.packages[name] === undefined ? [] : [{ part, reason }]))
}

export function recordKept(machine: SandboxModel): void {
  machine.files[manifest] = ['# gatehouse 2', ...findKept(machine).map(({ part, reason }) => `# part ${part} kept ${reason}`), ''].join(
    '\n',
  )
}

/** What the newest install kept. */
export function readKept(machine: SandboxModel): KeptPart[] {
  const lines = (machine.files[manifest] ?? '').matchAll(/^# part (\S+) kept (.+)$/gm)
  return [...lines].map(([, part = '', reason = '']) => ({ part, reason }))
}
