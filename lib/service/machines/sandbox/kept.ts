/** The parts that an install of a sandbox server leaves unchanged, as a real one records them in its manifest. */
import type { KeptPart } from '../machine'
import type { SandboxModel } from './model'

const manifest = '/etc/gatehouse/manifest'

/** A package that Gatehouse did not install, the part it occupies, and the reason that the install reports. */
const foreign: readonly ({ package: string } & KeptPart)[] = [
  { package: 'exim4-daemon-light', part: 'mail', reason: 'Exim is the mail server here; Postfix is not installed.' },
  { package: 'nftables', part: 'firewall', reason: 'nftables is the firewall here; UFW is not set up.' },
]

/** Packages on a server that was in use before Gatehouse. */
export const foreignPackages: Readonly<Record<string, string>> = { 'exim4-daemon-light': '4.96-15+deb12u6', nftables: '1.0.6-2+deb12u2' }

/** The parts that an install started now would keep. */
export function findKept(machine: SandboxModel): KeptPart[] {
  return foreign.flatMap(({ package: name, part, reason }) => (machine.packages[name] === undefined ? [] : [{ part, reason }]))
}

export function recordKept(machine: SandboxModel): void {
  machine.files[manifest] = ['# gatehouse 2', ...findKept(machine).map(({ part, reason }) => `# part ${part} kept ${reason}`), ''].join(
    '\n',
  )
}

/** The parts that the newest install kept. */
export function readKept(machine: SandboxModel): KeptPart[] {
  const lines = (machine.files[manifest] ?? '').matchAll(/^# part (\S+) kept (.+)$/gm)
  return [...lines].map(([, part = '', reason = '']) => ({ part, reason }))
}
