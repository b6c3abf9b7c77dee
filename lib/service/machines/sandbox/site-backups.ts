/** Backups of sandbox sites, and archives to be downloaded. */
import { problem } from '@/lib/contract/problem'
import { MachineFailure } from '../machine'
import type { BackupReason, LastBackup, SiteBackup, SiteOnHost } from '../sites'
import { renderArchive } from './archive'
import type { SandboxModel, SandboxSiteJob } from './model'

export const backupsFolder = '/var/backups/gatehouse-sites'

const dayMs = 86_400_000
/** How long copies that were made before something else are kept. */
const copyDays = 7
const nightlyKept = 7
/** How long an archive to be downloaded is kept. */
const downloadMs = 16 * 60_000

/** madeAtMs: milliseconds since 1970. */
export const backupNameOf = (domain: string, madeAtMs: number, reason: BackupReason): string => {
  const [day, time] = new Date(madeAtMs).toISOString().split(/[T.]/)
  return `${domain}-${day?.replaceAll('-', '')}-${time?.replaceAll(':', '')}-${reason}.tar.zst`
}

export function addBackup(machine: SandboxModel, domain: string, madeAtMs: number, reason: BackupReason, owner = ''): void {
  const bytes = 2_400_000 + (Math.floor(madeAtMs / 60_000) % 4096) * 977
  const name = backupNameOf(domain, madeAtMs, reason)
  const others = machine.siteBackups.filter((backup) => backup.name !== name)
  const was = machine.sites.find((site) => site.domain === domain) ?? null
  machine.siteBackups = [...others, { domain, name, bytes, madeAt: Math.floor(madeAtMs / 1000), reason, was, owner }]
}

/** The backup that a copy has brought back, unless it is there. */
export function addFetched(machine: SandboxModel, domain: string, name: string): void {
  if (machine.siteBackups.some((backup) => backup.name === name)) return
  const [, day = '', time = '', reason = ''] = /-(\d{8})-(\d{6})-([a-z]+)\.tar\.[a-z]+$/.exec(name) ?? []
  const iso = `${day}T${time}Z`.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)/, '$1-$2-$3T$4:$5:')
  const known = reasons.find((each) => each === reason)
  if (known !== undefined) addBackup(machine, domain, Date.parse(iso), known)
}

const reasons: readonly BackupReason[] = ['manual', 'nightly', 'restore', 'push', 'delete']

/** Those of a site, the newest first. Sites that are created again have those from before. */
export const backupsOf = (machine: SandboxModel, { domain, id }: Pick<SiteOnHost, 'domain' | 'id'>): SiteBackup[] =>
  machine.siteBackups
    .filter((backup) => backup.domain === domain)
    .map(({ domain: _, was, owner: __, ...backup }) => ({ ...backup, proven: true, aliases: was && was.id !== id ? was.aliases : [] }))
    .sort((one, other) => other.madeAt - one.madeAt || (one.name < other.name ? 1 : -1))

/** The last backups of deleted sites, the newest first. */
export const lastBackupsOf = (machine: SandboxModel): LastBackup[] =>
  machine.siteBackups
    .filter(({ reason }) => reason === 'delete')
    .map(({ was, ...backup }) => ({ ...backup, proven: true, format: was ? 2 : 1, siteId: was?.id ?? '', aliases: was?.aliases ?? [] }))
    .sort((one, other) => other.madeAt - one.madeAt || (one.name < other.name ? 1 : -1))

/** One backup of each site but staging copies, as on every night. */
export function backUpSites(machine: SandboxModel, atMs: number): void {
  for (const { domain, id, staging } of machine.sites) {
    if (staging !== null) continue
    addBackup(machine, domain, atMs, 'nightly')
    const nightly = backupsOf(machine, { domain, id }).filter(({ reason }) => reason === 'nightly')
    const old = new Set(nightly.slice(nightlyKept).map(({ name }) => name))
    machine.siteBackups = machine.siteBackups.filter(({ name }) => !old.has(name))
  }
  const isOver = ({ madeAt, reason }: Pick<SiteBackup, 'madeAt' | 'reason'>) =>
    reason !== 'manual' && reason !== 'nightly' && madeAt * 1000 < atMs - copyDays * dayMs
  machine.siteBackups = machine.siteBackups.filter((backup) => !isOver(backup))
}

export const downloadSizeOf = ({ site, startedAtMs }: SandboxSiteJob): number => renderArchive(site.domain, startedAtMs).length

export function addDownload(machine: SandboxModel, { id, site, startedAtMs }: SandboxSiteJob, nowMs: number): void {
  const kept = machine.downloads.filter(({ untilMs }) => untilMs > nowMs)
  machine.downloads = [...kept, { jobId: id, domain: site.domain, madeAtMs: startedAtMs, untilMs: nowMs + downloadMs }]
}

/** The archive that a job has made. Throws MachineFailure changed_meanwhile if it is gone. */
export function readArchive({ downloads }: SandboxModel, id: string, nowMs: number): Buffer {
  const found = downloads.find(({ jobId, untilMs }) => jobId === id && untilMs > nowMs)
  if (found) return renderArchive(found.domain, found.madeAtMs)
  throw new MachineFailure(problem('changed_meanwhile', { sentence: 'The archive is gone. Prepare another one.' }))
}
