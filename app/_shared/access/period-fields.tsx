'use client'

import { useState } from 'react'
import { TimeField } from '../../_ui/time-field'
import { isoOf, wallTimeOf } from '../../_ui/time-in-zone'
import { useTimeZone } from '../../_ui/time-zone'

/** The start and the end as typed, in the time zone of whoever looks. */
type Period = { start: string; end: string }

/** ISO; null if empty or not complete. */
type PeriodOf = { from: string | null; until: string | null }

/** Of a grant or a loan; a start that is over is not shown, because it is not chosen again. */
export function usePeriodFields(row: { from: string; until: string | null; state: 'planned' | 'valid' | 'ended' } | undefined) {
  const timeZone = useTimeZone()
  const [period, setPeriod] = useState<Period>(() => ({
    start: row?.state === 'planned' ? wallTimeOf(row.from, timeZone) : '',
    end: row?.until ? wallTimeOf(row.until, timeZone) : '',
  }))
  const chosen: PeriodOf = { from: isoOf(period.start, timeZone), until: isoOf(period.end, timeZone) }
  return { period, setPeriod, chosen }
}

type PeriodFieldsProps = { period: Period; chosen: PeriodOf; onChange: (period: Period) => void }

/** From when and until when; both may be empty. */
export function PeriodFields({ period, chosen, onChange }: PeriodFieldsProps) {
  const timeZone = useTimeZone()
  const { start, end } = period
  return (
    <>
      <input type="hidden" name="from" value={chosen.from ?? (start === '' ? '' : 'incomplete')} />
      <input type="hidden" name="until" value={chosen.until ?? (end === '' ? '' : 'incomplete')} />
      <TimeField
        kind="moment"
        name="from"
        label="From"
        optional
        hint="Leave it empty to begin at once."
        value={start}
        onChange={(typed) => onChange({ start: typed, end })}
      />
      <TimeField
        kind="moment"
        name="until"
        label="Until"
        optional
        hint={`In the time zone ${timeZone}. Leave it empty for no end.`}
        value={end}
        onChange={(typed) => onChange({ start, end: typed })}
      />
    </>
  )
}
