/** Lines of Home about servers: findings, disks that fill up, and installs that failed or were not started. */
import 'server-only'
import { failingIn, formatFailing } from '@/lib/portal/subjects/findings/failing-certificates'
import type { FindingKind } from '@/lib/portal/subjects/findings/findings'
import type { FullDisk } from '../history/full-disks'
import type { AttentionItem } from './attention-item'

/** since: ISO. */
export type NamedFinding = { serverId: string; name: string; kind: FindingKind; since: string; detail: string }

/** addedAt: ISO. */
export type NamedServer = { id: string; name: string; state: string; addedAt: string | null }

/** How many servers per kind of problem get a line of their own; the rest share one line with their number. */
const namedServers = 8

type Rest = { tone: AttentionItem['tone']; word: string; says: string; href: string }

type FindingLine = Rest & { line: (finding: NamedFinding) => { says: string; path: string; action: string } }

const findingLines: Readonly<Record<FindingKind, FindingLine>> = {
  unreachable: {
    tone: 'danger',
    word: 'Unreachable',
    says: 'The latest check of each server failed.',
    href: '/servers?state=unreachable',
    line: ({ detail }) => ({ says: detail, path: '', action: 'View server' }),
  },
  failed_units: {
    tone: 'danger',
    word: 'Failed units',
    says: 'Each has failed systemd units.',
    href: '/servers',
    line: ({ detail }) => ({ says: `systemd reports: ${detail}.`, path: '', action: 'View server' }),
  },
  failing_certificates: {
    tone: 'warn',
    word: 'Not renewed',
    says: 'Certificates of their sites could not be renewed.',
    href: '/servers',
    line: ({ detail }) => ({ says: formatFailing(failingIn(detail)), path: '/sites?ssl=on', action: 'View sites' }),
  },
  foreign_links: {
    tone: 'warn',
    word: 'Unsafe links',
    says: 'Their sites have links that belong to other users.',
    href: '/servers',
    line: ({ detail }) => ({ says: `These links in sites belong to other users: ${detail}.`, path: '', action: 'View server' }),
  },
  firewall_off: {
    tone: 'warn',
    word: 'Firewall off',
    says: 'UFW is off on each of them.',
    href: '/servers',
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
    line: ({ detail }) => ({ says: formatOutdated(detail.split(', ').length), path: '', action: 'View server' }),
  },
  // Home does not list them: a server installs them at night.
  security_updates: {
    tone: 'info',
    word: 'Updates',
    says: 'Security updates are waiting there.',
    href: '/servers',
    line: ({ detail }) => ({ says: `Security updates waiting: ${detail}.`, path: '', action: 'View server' }),
  },
  reboot_required: {
    tone: 'warn',
    word: 'Reboot needed',
    says: 'Installed updates take effect after a reboot.',
    href: '/servers',
    line: () => ({ says: 'Installed updates take effect after a reboot.', path: '', action: 'View server' }),
  },
}

const formatOutdated = (count: number): string =>
  `${count === 1 ? '1 site was' : `${count} sites were`} set up by an earlier version of Gatehouse and can be brought up to date.`

/** The lines for one kind of finding. */
export function findingItems(findings: readonly NamedFinding[], kind: FindingKind): AttentionItem[] {
  const { tone, word, line, ...rest } = findingLines[kind]
  const found = findings.filter((finding) => finding.kind === kind)
  const items = found.map((finding): AttentionItem => {
    const { says, path, action } = line(finding)
    const { serverId, name: title, since } = finding
    return { key: `${kind} ${serverId}`, tone, word, title, says, since, ...single, href: `/servers/${serverId}${path}`, action }
  })
  return foldRest(items, { tone, word, ...rest })
}

const single = { sinceLabel: 'First seen', count: 1 } as const

/** Combines the servers beyond the named ones into one line. */
function foldRest(items: readonly AttentionItem[], { tone, word, says, href }: Rest): AttentionItem[] {
  if (items.length <= namedServers) return [...items]
  const named = items.slice(0, namedServers - 1)
  const count = items.length - named.length
  const title = `${count.toLocaleString('en-GB')} more servers`
  return [
    ...named,
    { key: `rest ${word}`, tone, word, title, says, since: null, sinceLabel: 'First seen', count, href, action: 'View servers' },
  ]
}

// At or above this share, or within this many days, the problem cannot wait until tomorrow.
const [pressingShare, pressingDays] = [0.95, 2]

export function diskItem({ id, name, share, days, since }: FullDisk): AttentionItem {
  const when = days === null ? '' : ` At the current rate it will be full in ${days < 2 ? 'about a day' : `about ${days} days`}.`
  return {
    key: `disk ${id}`,
    tone: share >= pressingShare || (days !== null && days <= pressingDays) ? 'danger' : 'warn',
    word: share >= pressingShare ? 'Disk full' : 'Disk full soon',
    title: name,
    // Rounded down, so that a disk with free space is not reported as 100 % full.
    says: `${Math.floor(share * 100)} % of its disk is in use.${when}`,
    ...single,
    since,
    href: `/servers/${id}`,
    action: 'View server',
  }
}

type InstallLine = Rest & { action: string; rest: string }

const installLines: Readonly<Record<'failed' | 'new', InstallLine>> = {
  failed: {
    tone: 'danger',
    word: 'Install failed',
    action: 'View install',
    href: '/servers?state=failed',
    says: 'The install page shows the line that failed.',
    rest: 'Their last install failed.',
  },
  new: {
    tone: 'info',
    word: 'Not installed',
    action: 'Install',
    href: '/servers?state=new',
    says: 'Added, but not installed yet.',
    rest: 'Added, but not installed yet.',
  },
}

/**
 * The lines for the servers of one state, all in that state and without other problems. mayChange: whether the reader may install; others are not
 * led to a button that they cannot use.
 */
export function installItems(servers: readonly NamedServer[], state: keyof typeof installLines, mayChange: boolean): AttentionItem[] {
  const { tone, word, href, says, rest, ...line } = installLines[state]
  const [page, action] = mayChange || state === 'failed' ? ['/install', line.action] : ['', 'View server']
  const items = servers.map(
    ({ id, name, addedAt }): AttentionItem => ({
      key: `server ${id}`,
      word,
      tone,
      title: name,
      says,
      since: addedAt,
      href: `/servers/${id}${page}`,
      action,
      ...({ sinceLabel: 'Added', count: 1 } as const),
    }),
  )
  return foldRest(items, { tone, word, says: rest, href })
}
