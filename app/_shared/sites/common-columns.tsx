/** Columns that all lists of sites have. */
import type { ListedSite } from '@/lib/portal/subjects/sites/row'
import type { ListColumn } from '../collection/list-column'
import { backupAgeOf, formatBackupAge } from '../servers/figures'
import { Domain, LastBackup, titleOfDomain } from './site-cells'

/** What the filter by last backup tells apart, as that of servers does. */
export function siteBackupAgeOf({ backupAt }: Pick<ListedSite, 'backupAt'>, now = Date.now()): readonly string[] {
  if (backupAt === '') return []
  return backupAgeOf({ backupAt: backupAt === 'none' ? null : Date.parse(backupAt) / 60_000 }, now)
}

export const domainColumn: ListColumn<Pick<ListedSite, 'id' | 'domain'>> = {
  label: 'Domain',
  minWidth: 200,
  grows: true,
  main: true,
  cell: ({ domain }) => <Domain domain={domain} />,
  title: ({ domain }) => titleOfDomain(domain),
  sortText: ({ domain }) => domain,
  csv: [['Domain', ({ domain }) => domain]],
}

export const serverColumn: ListColumn<Pick<ListedSite, 'id' | 'server'>> = {
  label: 'Server',
  minWidth: 144,
  cell: ({ server }) => server,
  title: ({ server }) => server,
  sortText: ({ server }) => server,
  facets: [{ id: 'server', label: 'Server', valuesOf: ({ server }) => (server === '' ? [] : [server]), format: (server) => server }],
  csv: [['Server', ({ server }) => server]],
}

export const backupColumn: ListColumn<Pick<ListedSite, 'id' | 'backupAt'>> = {
  label: 'Last backup',
  minWidth: 120,
  className: 'text-muted',
  cell: ({ backupAt }) => <LastBackup at={backupAt} />,
  // Those without a backup first, then the oldest.
  sortText: ({ backupAt }) => (backupAt === 'none' ? '0' : backupAt),
  facets: [{ id: 'backup', label: 'Last backup', valuesOf: (site) => siteBackupAgeOf(site), format: formatBackupAge }],
  csv: [['Last backup', ({ backupAt }) => (backupAt === 'none' ? 'None' : backupAt)]],
}
