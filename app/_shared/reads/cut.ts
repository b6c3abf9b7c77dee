import type { Cut } from '@/lib/contract/problem'
import { countOf, formatCount } from '../../_ui/count'

/** "Showing the first 20,000 of 60,000 servers" */
export const formatCut = ({ shown, total }: Cut, noun: string): string =>
  `Showing the first ${formatCount(shown)} of ${countOf(total, noun)}`

/** "1 item could not be read." */
export const formatUnreadable = (unreadable: number): string => `${countOf(unreadable, 'item')} could not be read.`
