/** Lines of Home about servers: findings, disks that fill up, and installs that failed or were not started. Those of one cause share a line. */
import 'server-only'
import { contract } from '@/lib/contract'
import { failingIn, formatFailing } from '@/lib/portal/subjects/findings/failing-certificates'
import type { FindingKind } from '@/lib/portal/subjects/findings/findings'
import type { FullDisk } from '../history/full-disks'
import { type AttentionItem, groupItems, type SingleItem } from './attention-item'

/** since: ISO. */
export type NamedFinding = { serverId: string; name: string; kind: FindingKind; since: string; detail: string }

/** addedAt: ISO. */
export type NamedServer = { id: string; name: string; state: string; addedAt: string | null }

/** operation: the id of what a batch runs to settle all of them. */
type Cause = { tone: AttentionItem['tone']; word: string; says: string; href: string; operation: string | null }

type FindingLine = Cause & { line: (finding: NamedFinding) => { says: string; note?: string; path: string; action: string } }

const findingLines: Readonly<Record<FindingKind, FindingLine>> = {
  unreachable: {
    tone: 'danger',
    word: 'Unreachable',
    says: 'The latest check of each server failed.',
    href: '/servers?state=unreachable',
    operation: contract.servers.summary.id,
    line: ({ detail }) => ({ says: detail, path: '', action: 'View server' }),
  },
  failed_units: {
    tone: 'danger',
    word: 'Failed units',
    says: 'Each has failed systemd units.',
    href: '/servers',
    operation: null,
    line: ({ detail }) => ({ says: `systemd reports: ${detail}.`, note: detail, path: '', action: 'View server' }),
  },
  failing_certificates: {
    tone: 'warn',
    word: 'Not renewed',
    says: 'Certificates of their sites could not be renewed.',
    href: '/servers',
    operation: null,
    line: ({ detail }) => ({ says: formatFailing(failingIn(detail)), path: '/sites?ssl=on', action: 'View sites' }),
  },
  foreign_links: {
    tone: 'warn',
    word: 'Unsafe links',
    says: 'Their sites have links that belong to other users.',
    href: '/servers',
    operation: null,
    line: ({ detail }) => ({ says: `These links in sites belong to other users: ${detail}.`, path: '', action: 'View server' }),
  },
  firewall_off: {
    tone: 'warn',
    word: 'Firewall off',
    says: 'UFW is off on each of them.',
    href: '/servers',
    operation: null,
    line: () => ({
      says: 'UFW is off, so every listening port is open.',
      path: '/firewall',
      action: 'View firewall',
    }),
  },
  outdated_sites: {
    tone: 'info',
    word: 'Older sites',
    says: 'Sites there were set up by an earlier version of Gatehouse.',
    href: '/servers',
    operation: contract.servers.upgrade.id,
    line: ({ detail }) => ({ says: formatOutdated(detail.split(', ').length), path: '', action: 'View server' }),
  },
  security_updates: {
    tone: 'info',
    word: 'Updates wait',
    says: 'Security updates were not installed at night.',
    href: '/servers',
    operation: contract.servers.applyUpdates.id,
    line: ({ detail }) => ({
      says: `Security updates were not installed at night: ${detail}.`,
      note: detail,
      path: '',
      action: 'View server',
    }),
  },
  reboot_required: {
    tone: 'warn',
    word: 'Reboot needed',
    says: 'Installed updates take effect after a reboot.',
    href: '/servers',
    operation: contract.servers.reboot.id,
    line: () => ({ says: 'Installed updates take effect after a reboot.', path: '', action: 'View server' }),
  },
}

const formatOutdated = (count: number): string =>
  `${count === 1 ? '1 site was' : `${count} sites were`} set up by an earlier version of Gatehouse and can be brought up to date.`

/** The line for one kind of finding. */
export function findingItems(findings: readonly NamedFinding[], kind: FindingKind): AttentionItem[] {
  const { tone, word, line, says, href, operation } = findingLines[kind]
  const singles = findings
    .filter((finding) => finding.kind === kind)
    .map((finding): SingleItem => {
      const { serverId, name: title, since } = finding
      const { says: own, note = '', path, action } = line(finding)
      const place = { href: `/servers/${serverId}${path}`, action, targetId: serverId }
      return { key: `${kind} ${serverId}`, tone, word, title, says: own, note, since, sinceLabel: 'First seen', ...place }
    })
  return groupItems(singles, { key: `group ${kind}`, noun: 'server', says, href, batch: batchOf(operation) })
}

const batchOf = (operation: string | null) => (operation === null ? null : ({ operation, noun: 'server' } as const))

// At or above this share, or within this many days, the problem cannot wait until tomorrow.
const [pressingShare, pressingDays] = [0.95, 2]

/** Disks that are full, then those that will be. */
export function diskItems(disks: readonly FullDisk[]): AttentionItem[] {
  return (['Disk full', 'Disk full soon'] as const).flatMap((word) => {
    const singles = disks.map(diskItem).filter((item) => item.word === word)
    const says =
      word === 'Disk full' ? 'At least 95 % of each disk is in use.' : 'Each is over 90 % full, or will be full within two weeks.'
    return groupItems(singles, { key: `group ${word}`, noun: 'server', says, href: '/servers', batch: null })
  })
}

function diskItem({ id, name, share, days, since }: FullDisk): SingleItem {
  const when = days === null ? '' : ` At the current rate it will be full in ${days < 2 ? 'about a day' : `about ${days} days`}.`
  // Rounded down, so that a disk with free space is not reported as 100 % full.
  const percent = `${Math.floor(share * 100)} %`
  return {
    key: `disk ${id}`,
    tone: share >= pressingShare || (days !== null && days <= pressingDays) ? 'danger' : 'warn',
    word: share >= pressingShare ? 'Disk full' : 'Disk full soon',
    title: name,
    says: `${percent} of its disk is in use.${when}`,
    note: percent,
    since,
    sinceLabel: 'First seen',
    href: `/servers/${id}`,
    action: 'View server',
    targetId: id,
  }
}

type InstallLine = Cause & { action: string; own: string }

const installLines: Readonly<Record<'failed' | 'new', InstallLine>> = {
  failed: {
    tone: 'danger',
    word: 'Install failed',
    action: 'View install',
    href: '/servers?state=failed',
    says: 'Their last install failed.',
    own: 'The install page shows the line that failed.',
    operation: contract.servers.install.id,
  },
  new: {
    tone: 'info',
    word: 'Not installed',
    action: 'Install',
    href: '/servers?state=new',
    says: 'Added, but not installed yet.',
    own: 'Added, but not installed yet.',
    operation: contract.servers.install.id,
  },
}

/**
 * The line for the servers of one state, all in that state and without other problems. mayChange: whether the reader may install; others are not
 * led to a button that they cannot use.
 */
export function installItems(servers: readonly NamedServer[], state: keyof typeof installLines, mayChange: boolean): AttentionItem[] {
  const { tone, word, href, says, own, operation, ...line } = installLines[state]
  const [page, action] = mayChange || state === 'failed' ? ['/install', line.action] : ['', 'View server']
  const singles = servers.map(({ id, name: title, addedAt: since }): SingleItem => {
    const place = { href: `/servers/${id}${page}`, action, targetId: id }
    return { key: `server ${id}`, word, tone, title, says: own, note: '', since, sinceLabel: 'Added', ...place }
  })
  return groupItems(singles, { key: `group ${word}`, noun: 'server', says, href, batch: batchOf(operation) })
}
