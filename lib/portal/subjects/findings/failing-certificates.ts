/** The finding that certificates could not be renewed: what it stores, and how it is told. */
import 'server-only'
import { toReadableDomain } from '@/lib/text/idn'

const [maxStored, maxTold] = [20, 3]

/** Sorted, so that the same domains are the same detail. Null for none. */
export const detailOfFailing = (domains: readonly string[]): string | null =>
  domains.length > 0 ? domains.toSorted().slice(0, maxStored).join(', ') : null

export const failingIn = (detail: string): string[] => detail.split(', ')

/** "The certificates of a.example, b.example could not be renewed." */
export function formatFailing(domains: readonly string[]): string {
  const told = domains.slice(0, maxTold).map(toReadableDomain).join(', ')
  const names = domains.length > maxTold ? `${told} and others` : told
  return `The ${domains.length === 1 ? 'certificate' : 'certificates'} of ${names} could not be renewed.`
}
