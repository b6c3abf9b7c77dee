import { toReadableDomain } from '@/lib/text/idn'

/** Which aliases in a backup a restore leaves out, because other sites have them by now. Nothing if there are none. */
export function TakenAliases({ taken }: { taken: readonly string[] | undefined }) {
  if (taken === undefined || taken.length === 0) return null
  const [belongs, is, it] = taken.length === 1 ? ['An alias belongs', 'is', 'it'] : ['Aliases belong', 'are', 'them']
  return (
    <p className="text-small text-warn wrap-anywhere">
      {belongs} to other sites by now and {is} left out: {taken.map(toReadableDomain).join(', ')}. To have {it} back, remove {it} there
      first.
    </p>
  )
}
