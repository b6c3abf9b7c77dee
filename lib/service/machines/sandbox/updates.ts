/** Installing the updates of a sandbox server as a function of time. */
import type { SandboxJob, SandboxModel } from './model'
import type { Moment } from './upgrade'

/** The packages that have updates. */
export const updatesOf = ({ upgradable }: SandboxModel, securityOnly: boolean): string[] =>
  Object.entries(upgradable).flatMap(([name, security]) => (security || !securityOnly ? [name] : []))

const unitsPerStep = 4

const needsReboot = (name: string): boolean => name === 'systemd' || name.startsWith('linux-image')

export function updatesTimeline({ unitMs }: SandboxJob, names: readonly string[]): Moment[] {
  const say = (units: number, step: string, progress: number, message: string): Moment => ({
    atMs: units * unitMs,
    says: { step, progress, status: 'running', message },
  })
  const update = (machine: SandboxModel) => {
    machine.upgradable = Object.fromEntries(Object.entries(machine.upgradable).filter(([name]) => !names.includes(name)))
    machine.rebootRequired ||= names.some(needsReboot)
  }
  const moments = [say(0, 'Package system', 0, 'Begun.'), say(unitsPerStep, 'Package lists', 5, 'Begun.')]
  if (names.length > 0) {
    moments.push(say(2 * unitsPerStep, 'Updates', 20, `${names.length} to update: ${names.join(' ')}`))
    moments.push({ ...say(3 * unitsPerStep, 'Services', 90, 'Begun.'), change: update })
  }
  const told =
    names.length === 0 ? 'There was nothing to update.' : `${names.length} ${names.length === 1 ? 'package was' : 'packages were'} updated.`
  const reboot = names.some(needsReboot) ? ' The server has to be rebooted for all of it to take effect.' : ''
  const step = moments.at(-1)?.says.step ?? ''
  return [...moments, { atMs: 4 * unitsPerStep * unitMs, says: { step, progress: 100, status: 'done', message: `${told}${reboot}` } }]
}
