'use client'

import { useState } from 'react'
import type { AccessView } from '@/lib/portal/subjects/team/access/list'
import { formatAccess, type GivenWork, type NamedScope } from '@/lib/text/access'
import { useTimeZone } from '../../_ui/clock'
import { formatMoment } from '../../_ui/time-in-zone'

/** "until Fri 27 Nov 2026, 18:00"; empty for no end. `at` is ISO. */
export function useUntil(): (at: string | null) => string {
  const timeZone = useTimeZone()
  return (at) => (at === null ? '' : `until ${formatMoment(at, timeZone)}`)
}

/** "from Mon 23 Nov 2026, 08:00 until Fri …"; empty for neither. ISO. */
export function usePeriod(): (from: string | null, until: string | null) => string {
  const until = useUntil()
  return (from, end) => [from === null ? '' : until(from).replace('until', 'from'), until(end)].filter(Boolean).join(' ')
}

type Said = { given: GivenWork; scopes: readonly NamedScope[]; period: string }

/** "Can view the backups of shop.example until Fri …". period: as usePeriod says it. */
export const formatSentence = ({ given, scopes, period }: Said): string => `Can ${formatAccess(given, scopes, { period })}`

/** How many servers and sites are named where there may be many. */
export const maxNamed = 3

/** The same in a list: of many servers and sites the first are named, and all of them when they are asked for. */
export function AccessSentence({ start, given, scopes }: { start: 'Can' | 'To'; given: GivenWork; scopes: readonly NamedScope[] }) {
  const [isWhole, setWhole] = useState(false)
  const named = scopes.filter((scope) => scope.kind === 'everything' || scope.name !== null).length
  const folds = named > maxNamed
  return (
    <span className="wrap-anywhere">
      {start} {formatAccess(given, scopes, folds && !isWhole ? { most: maxNamed } : {})}
      {folds ? (
        <button
          type="button"
          aria-expanded={isWhole}
          className="ml-2 min-h-6 rounded-control text-small whitespace-nowrap text-accent underline hover:text-accent-hover"
          onClick={() => setWhole(!isWhole)}
        >
          {isWhole ? 'Show fewer' : `Show all ${named}`}
        </button>
      ) : null}
    </span>
  )
}

/** What the role leaves of it. */
export const workOf = ({ subjects, allowed, operations, root }: AccessView): GivenWork => ({ subjects, effects: allowed, operations, root })

/** "Ana", "Everyone with the role Operator". */
export const nameOfHolder = ({ holder }: AccessView): string =>
  holder.kind === 'member' ? holder.name : `Everyone with the role ${holder.role.charAt(0).toUpperCase()}${holder.role.slice(1)}`
