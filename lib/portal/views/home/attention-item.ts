/** One line of Home's list of what needs attention. */
import 'server-only'

/**
 * key: stable while the same thing goes on. tone: how pressing. since: the moment that `sinceLabel` names, ISO. count: how many
 * problems this line stands for. href and action: where it is looked after, in a verb.
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
