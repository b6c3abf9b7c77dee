/** The list of backups of all sites as a collection: searched, sorted and filtered, the same on the server and in the browser. */

import type { BackupLine } from '@/lib/portal/views/backups/line'
import { toReadableDomain } from '@/lib/text/idn'
import type { CollectionKind } from '../../_shared/collection/kind'
import { csvOf, facetsOf, sortTextsOf } from '../../_shared/collection/list-column'
import { type BackupQuery, backupLineColumns, backupQuery } from './backup-line-columns'

export const backupCollection: CollectionKind<BackupLine, BackupQuery> = {
  noun: 'site',
  csvName: 'backups',
  label: 'Backups',
  query: backupQuery,
  nameOf: ({ domain }) => domain,
  selectLabel: ({ domain }) => `Select ${domain}`,
  selectAllLabel: 'Select all that are shown',
  searched: ({ domain, server, copies }) => [domain, toReadableDomain(domain), server, ...(copies ?? []).map(({ target }) => target)],
  sortTexts: sortTextsOf(backupLineColumns),
  facets: facetsOf(backupLineColumns),
  flags: [],
  searchHint: 'Filter by domain, server, target',
  noMatch: { title: 'No matching sites', description: 'Searches domain, server and backup targets. All words must match.' },
}

export const backupCsv = csvOf(backupLineColumns)
