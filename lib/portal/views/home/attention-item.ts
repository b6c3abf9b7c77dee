/** One line in Home's list of problems. */
import 'server-only'

/**
 * key: stable while the same problem lasts. tone: how urgent it is. since: the time that `sinceLabel` describes, ISO. count: how many
 * problems this line stands for. href and action: where to fix it, and the link's verb.
 */
export type AttentionItem = {
  key: string
  tone: 'danger' | 'warn' | 'info'
  /** One word for the chip. */
  word: string
  title: string
  says: string
  since: string | null
  sinceLabel: 'First seen' | 'Last worked' | 'Ended' | 'Added'
  count: number
  href: string
  action: string
}
