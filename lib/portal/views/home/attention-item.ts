/** One line in Home's list of problems: one problem, or all of the same cause. */
import 'server-only'

/** One of several problems that share a line. note: what differs from the others, or empty. */
type AttentionMember = { name: string; note: string; href: string }

/** What settles the problems of a line at once. targets: ids of servers or sites, in the order of the batch. */
export type AttentionBatch = { operation: string; noun: 'server' | 'site'; ids: string[] }

/**
 * key: stable while the same problem lasts. tone: the urgency. since: the time that `sinceLabel` describes, ISO. count: how many
 * problems this line represents. members: the first of them, at most 8, if it is more than one. href and action: where to fix it, and the verb
 * of the link. batch: the one action for all of them, or null if there is none or the reader may not run it.
 */
export type AttentionItem = {
  key: string
  tone: 'danger' | 'warn' | 'info'
  /** The word on the chip. */
  word: string
  title: string
  says: string
  since: string | null
  sinceLabel: 'First seen' | 'Last worked' | 'Ended' | 'Added'
  count: number
  members: AttentionMember[]
  href: string
  action: string
  batch: AttentionBatch | null
}

/** A problem, before those of the same cause share a line. targetId: the server or site that a batch would run on; null if unknown. */
export type SingleItem = Omit<AttentionItem, 'members' | 'batch' | 'count'> & { note: string; targetId: string | null }

/** What a line says that stands for several problems. operation: of the batch that settles them. */
type GroupWords = {
  key: string
  noun: 'server' | 'job'
  says: string
  href: string
  batch: Omit<AttentionBatch, 'ids'> | null
}

const maxMembers = 8

/** One line for all: that of the problem if it is only one, and otherwise the most urgent tone and the earliest time. */
export function groupItems(singles: readonly SingleItem[], { key, noun, says, href, batch }: GroupWords): AttentionItem[] {
  const [first, ...others] = singles
  if (first === undefined) return []
  if (others.length === 0) {
    const { note: _note, targetId: _targetId, ...item } = first
    return [{ ...item, count: 1, members: [], batch: null }]
  }
  const times = singles.flatMap(({ since }) => since ?? []).sort()
  const ids = [...new Set(singles.flatMap(({ targetId }) => targetId ?? []))]
  return [
    {
      key,
      tone: singles.find(({ tone }) => tone === 'danger')?.tone ?? first.tone,
      word: first.word,
      title: `${singles.length.toLocaleString('en-GB')} ${noun}s`,
      says,
      since: times[0] ?? null,
      sinceLabel: first.sinceLabel,
      count: singles.length,
      members: singles.slice(0, maxMembers).map(({ title, note, href: to }) => ({ name: title, note, href: to })),
      href,
      action: `View ${noun}s`,
      batch: batch === null || ids.length === 0 ? null : { ...batch, ids },
    },
  ]
}

/** A problem that shares its line with no other. */
export const single = (item: Omit<AttentionItem, 'count' | 'members' | 'batch'>): AttentionItem => ({
  ...item,
  count: 1,
  members: [],
  batch: null,
})
