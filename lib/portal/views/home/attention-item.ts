/** One line in Home's list of problems. */
import 'server-only'

/**
 * key: stable while the same problem lasts. tone: the urgency. since: the time that `sinceLabel` describes, ISO. count: how many
 * problems this line represents. href and action: where to fix it, and the verb of the link.
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
  href: string
  action: string
}
