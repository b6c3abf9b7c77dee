/** The finding that certificates could not be renewed: what it stores, and what is said of it. */
import 'server-only'
import { toReadableDomain } from '@/lib/text/idn'

const maxTold = 3

/** Sorted, so that the same domains are the same detail. Null for none. */
export const detailOfFailing = (domains: readonly string[]): string | null => (domains.length > 0 ? domains.toSorted().join(', ') : null)

export const failingIn = (detail: string): string[] => detail.split(', ')

/** "The certificates of a.example, b.example could not be renewed." Of many, the first three and how many others. */
export function formatFailing(domains: readonly string[]): string {
  const told = domains.slice(0, maxTold).map(toReadableDomain).join(', ')
  const others = domains.length - maxTold
  const names = others > 0 ? `${told} and ${others === 1 ? '1 other' : `${others} others`}` : told
  return `The ${domains.length === 1 ? 'certificate' : 'certificates'} of ${names} could not be renewed.`
}
