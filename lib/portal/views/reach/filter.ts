/** Which part of a table of reach to show, parsed from an untrusted query. */
import 'server-only'
import type { ReachLine } from './lines'

/** text: words that all have to be in a line or in the names of its servers and sites. unused: only what was not used for 90 days. */
export type ReachFilter = { text: string; unused: boolean }

export type Query = Readonly<Record<string, string | string[] | undefined>>

const maxText = 200

export const textOf = (query: Query, name: string): string => {
  const value = query[name]
  return typeof value === 'string' ? value.trim() : ''
}

export const readReachFilter = (query: Query): ReachFilter => ({
  text: textOf(query, 'text').slice(0, maxText),
  unused: textOf(query, 'use') === 'unused',
})

/** Of lines that have a word only in the names of servers and sites, those servers and sites are left. */
export function filterReach(lines: readonly ReachLine[], { text, unused }: ReachFilter): ReachLine[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  // Many lines are over the same servers and sites.
  const known = new Map<ReachLine['places'], Map<string, ReachLine['places']>>()
  return lines.flatMap((line) => {
    if (unused && !line.unused) return []
    const own = `${line.who} ${line.role} ${line.what} ${line.access} ${line.connection}`.toLowerCase()
    const rest = words.filter((word) => !own.includes(word))
    if (rest.length === 0) return [line]
    const found = known.get(line.places) ?? new Map<string, ReachLine['places']>()
    known.set(line.places, found)
    const places = found.get(rest.join(' ')) ?? line.places.filter(({ name }) => rest.every((word) => name.toLowerCase().includes(word)))
    found.set(rest.join(' '), places)
    return places.length === 0 ? [] : [{ ...line, places, hidden: 0, everything: false }]
  })
}
