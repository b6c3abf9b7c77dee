/** What an address of the page Reach, or of its CSV, asks for. */
import 'server-only'
import type { Problem } from '@/lib/contract/problem'
import type { Person } from '@/lib/portal/identity/actor'
import { filterReach, type Query, type ReachFilter, readReachFilter } from './filter'
import type { ReachLine } from './lines'
import { findSubject, type ReachSubject } from './subject'
import { readReach } from './view'
import { readWhatIf, type WhatIf } from './what-if'

/** all: the lines before they are filtered. lines: those that a change begins or ends first. refused: why the change that is asked about cannot be shown; then the table is as it is now. */
export type OpenReach = {
  subject: ReachSubject
  filter: ReachFilter
  whatIf: WhatIf | null
  refused: Problem | null
  all: ReachLine[]
  lines: ReachLine[]
}

/** Null for what the reader may not see. */
export async function openReach(actor: Person, query: Query): Promise<OpenReach | null> {
  const subject = await findSubject(actor, query.of, query.id)
  if (!subject) return null
  const [filter, asked] = [readReachFilter(query), await readWhatIf(actor, query)]
  const whatIf = asked?.ok ? asked.data : null
  const all = await readReach(actor, subject, whatIf?.change ?? null)
  // A change of one row among hundreds is what the page was opened for.
  const lines = filterReach([...all.filter(isChanged), ...all.filter((line) => !isChanged(line))], filter)
  return { subject, filter, whatIf, refused: asked && !asked.ok ? asked.problem : null, all, lines }
}

const isChanged = ({ difference }: ReachLine): boolean => difference !== 'same'
