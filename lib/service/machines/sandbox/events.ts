/** What a sandbox server did by its own timers, and when it booted, as lines of events.bash. */
import type { BackupFile } from '../backups'
import { describeCertificate, findRenewal } from './certificates'
import type { SandboxModel } from './model'

const keptMs = 7 * 86_400_000
const maxEvents = 30

/** Those of a week, the newest last. */
export function eventsOf(machine: SandboxModel, nowMs: number): string[] {
  const all = [...machine.events, bootOf(machine), ...renewals(machine, nowMs)]
  const recent = all.filter((event) => secondsOf(event) * 1000 > nowMs - keptMs && secondsOf(event) * 1000 <= nowMs)
  return recent.toSorted((one, other) => secondsOf(one) - secondsOf(other)).slice(-maxEvents)
}

const secondsOf = (event: string): number => Number(event.split(' ')[1])

const bootOf = ({ bootedAtMs }: SandboxModel): string => {
  const seconds = Math.floor(bootedAtMs / 1000)
  return `reboot ${seconds} reboot-${seconds} done -`
}

/** Keeps the boot that a reboot ends. */
export function noteBoot(machine: SandboxModel): void {
  note(machine, bootOf(machine))
}

/** failure: why the run failed, or what the backup lacks; empty for a whole one. */
export function noteBackup(machine: SandboxModel, { writtenAt }: BackupFile, failure: string): void {
  const sites = machine.sites.filter(({ staging }) => staging === null).length
  const whole = `The server and ${sites} ${sites === 1 ? 'site' : 'sites'} were backed up.`
  note(machine, `backup ${writtenAt} backup-${writtenAt} ${failure === '' ? 'done' : 'failed'} - ${failure || whole}`)
}

/** Updates of security that came and were installed between two checks. */
export function noteUpdates(machine: SandboxModel, hour: number): void {
  const seconds = hour * 3600 + 12 * 60
  note(machine, `updates ${seconds} updates-${seconds} done - libssl3, openssl.`)
}

function note(machine: SandboxModel, event: string): void {
  machine.events = [...machine.events, event].slice(-maxEvents)
}

/** A certificate that cannot be renewed is one event, however often that is tried. */
function renewals({ sites }: SandboxModel, nowMs: number): string[] {
  return sites.flatMap((site) => {
    const certificate = site.ssl ? describeCertificate(site, nowMs) : null
    const renewal = findRenewal(site, nowMs)
    if (!certificate || !renewal) return []
    const seconds = Math.floor(renewal.atMs / 1000)
    return [`renewal ${seconds} renewal-${site.name}-${seconds} ${renewal.outcome} ${site.domain} ${certificate.problem}`]
  })
}
