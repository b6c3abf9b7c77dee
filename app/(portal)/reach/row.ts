/** A row of the table as the browser gets it: of thousands of servers only the first names. */
import { roleNames } from '@/lib/portal/access/roles'
import type { ReachLine } from '@/lib/portal/views/reach/lines'

export type ReachRowView = Pick<
  ReachLine,
  'id' | 'who' | 'what' | 'access' | 'connection' | 'until' | 'lastUsedAt' | 'recorded' | 'unused' | 'difference' | 'idle'
> & { role: string; where: string }

const maxNames = 3

export function toReachRow({ places, hidden, everything, role, from: _, ...line }: ReachLine): ReachRowView {
  return { ...line, role: roleNames[role], where: formatWhere({ places, hidden, everything }) }
}

/** "web-1, shop.example", "12 servers and 40 sites: db-1, db-2, …", "all servers and sites (12 servers and 40 sites): db-1, db-2, …". */
function formatWhere({ places, hidden, everything }: Pick<ReachLine, 'places' | 'hidden' | 'everything'>): string {
  const names = places.slice(0, maxNames).map(({ name }) => name)
  const unseen = hidden > 0 ? [`${hidden} more that you cannot see`] : []
  if (places.length <= maxNames) return [...names, ...unseen].join(', ') || (everything ? 'all servers and sites, none yet' : 'nothing now')
  const count = (kind: 'server' | 'site') => places.filter((place) => place.kind === kind).length
  const counts = [countOf(count('server'), 'server'), countOf(count('site'), 'site')].filter((text) => text !== '').join(' and ')
  return [`${everything ? `all servers and sites (${counts})` : counts}: ${names.join(', ')}, …`, ...unseen].join(', ')
}

const countOf = (count: number, noun: string): string =>
  count === 0 ? '' : `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`
