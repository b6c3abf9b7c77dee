/** Bringing a sandbox server up to date as a function of time. A site whose domain begins with `old.` is of an earlier version at first. */
import type { InstallLine } from '../machine'
import type { SandboxJob, SandboxModel } from './model'

export type Moment = {
  /** Milliseconds after the job began. */
  atMs: number
  says: Omit<InstallLine, 'line'>
  change?: (machine: SandboxModel) => void
}

export const isNewUpToDate = (domain: string): boolean => !domain.startsWith('old.')

export const outdatedSites = ({ sites }: SandboxModel): string[] => sites.filter(({ upToDate }) => !upToDate).map(({ domain }) => domain)

const unitsPerStep = 4

/** Those that were of an earlier version, and are not any more. */
export const revertibleSites = ({ sites }: SandboxModel): string[] =>
  sites.filter(({ upToDate, domain }) => upToDate && !isNewUpToDate(domain)).map(({ domain }) => domain)

/** domains: of the sites that are brought up to date, or taken back. */
export function upgradeTimeline({ unitMs, reverts }: SandboxJob, domains: readonly string[]): Moment[] {
  const words = reverts
    ? { each: 'As it was before the upgrade.', all: 'The upgrade is taken back.' }
    : { each: 'Up to date.', all: 'The server and its sites are up to date.' }
  const steps = ['Check the server', 'Server', ...domains]
  const moments = steps.flatMap((step, n): Moment[] => {
    const progress = Math.floor((99 * n) / steps.length)
    const begun = { atMs: n * unitsPerStep * unitMs, says: { step, progress, status: 'running', message: 'Begun.' } } as const
    if (n === 0) return [begun]
    if (n === 1) {
      const renew = (machine: SandboxModel) => {
        machine.outdated = reverts && machine.former
      }
      return [{ ...begun, change: renew }]
    }
    const change = (machine: SandboxModel) => {
      machine.sites = machine.sites.map((site) => (site.domain === step ? { ...site, upToDate: !reverts } : site))
    }
    const atMs = ((n + 1) * unitsPerStep - 1) * unitMs
    return [begun, { atMs, says: { step, progress, status: 'running', message: words.each }, change }]
  })
  const count = domains.length === 0 ? '' : ` ${domains.length} ${domains.length === 1 ? 'site' : 'sites'} changed.`
  const message = `${words.all}${count}`
  const says = { step: steps.at(-1) ?? '', progress: 100, status: 'done', message } as const
  return [...moments, { atMs: steps.length * unitsPerStep * unitMs, says }]
}
