/** Which servers the list shows, and in which order: all of it is in the address, so that it can be shared. */
import { defineQuery } from '../../_shared/collection/query'

/** In the order of the table. */
export const columns = [
  'state',
  'name',
  'hostname',
  'address',
  'disk',
  'memory',
  'load',
  'updates',
  'sites',
  'backup',
  'dns',
  'provider',
  'service',
  'labels',
] as const

/** `day`: the last day, which is read for the rows near the window alone, so nothing is sorted by it. */
export type ServerColumnId = (typeof columns)[number] | 'day'

/** Filters that take any of several values. */
export const facets = ['state', 'disk', 'memory', 'updates', 'backup', 'kind', 'service', 'label'] as const

export const listQuery = defineQuery({
  columns,
  choosable: [...columns, 'day'],
  defaultColumn: 'name',
  facets,
  // Only servers that are not installed, or whose install failed.
  flags: { needsInstall: { param: ['needs', 'install'], narrows: true } },
})

export type ListQuery = typeof listQuery.whole

export const { whole: wholeList, parse: parseListQuery, print: printListQuery, isFiltered } = listQuery
