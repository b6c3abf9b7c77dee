/** Which sites a list shows, and in which order: all of it is in the address, so that it can be shared. */
import { defineQuery } from '../collection/query'

/** In the order of the table. */
const columns = ['state', 'domain', 'server', 'php', 'usage', 'backup', 'address', 'mx', 'ssl', 'points', 'staging', 'service'] as const

export type SiteColumnId = (typeof columns)[number]

export const siteQuery = defineQuery({
  columns,
  choosable: columns,
  defaultColumn: 'domain',
  // Filters that take any of several values.
  facets: ['state', 'server', 'php', 'backup', 'ssl', 'points', 'service'] as const,
  flags: {},
})

export type SiteQuery = typeof siteQuery.whole
