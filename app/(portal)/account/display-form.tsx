'use client'

import { type ReactNode, useId } from 'react'
import { themeChoices } from '@/app/_shared/preferences/theme-switch'
import { Card } from '@/app/_ui/section'
import { usePreferences } from '../../_shared/preferences/preferences'
import { useNow, useTimeZone } from '../../_ui/clock'
import { SearchSelect } from '../../_ui/search-select'
import { Segments } from '../../_ui/segments'

const densities = [
  { value: 'comfortable', label: 'Comfortable' },
  { value: 'standard', label: 'Standard' },
  { value: 'compact', label: 'Compact' },
] as const

/** Each choice takes effect immediately and is stored with the account, so that every browser has it. */
export function DisplayForm({ zones }: { zones: readonly string[] }) {
  const { theme, density, timeZone, change } = usePreferences()
  return (
    <Card className="divide-y divide-line">
      <Row label="Theme">
        {(label) => (
          <Segments label={label} name="theme" value={theme} choices={themeChoices} onChange={(next) => change({ theme: next })} />
        )}
      </Row>
      <Row label="Table density">
        {(label) => (
          <Segments label={label} name="density" value={density} choices={densities} onChange={(next) => change({ density: next })} />
        )}
      </Row>
      <Row label="Time zone">
        {(label) => (
          <div className="flex min-w-0 flex-wrap items-center gap-x-4 gap-y-1">
            <SearchSelect
              aria-labelledby={label}
              className="w-64! max-w-full"
              choices={[
                { value: '', label: 'Browser time zone' },
                ...zones.map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') })),
              ]}
              value={timeZone}
              onChange={(next) => change({ timeZone: next })}
            />
            <PresentTime />
          </div>
        )}
      </Row>
    </Card>
  )
}

function Row({ label, children }: { label: string; children: (labelId: string) => ReactNode }) {
  const id = useId()
  return (
    <div className="flex flex-wrap items-center gap-x-6 gap-y-2 px-4 py-2.5">
      <span id={id} className="w-28 shrink-0 text-muted">
        {label}
      </span>
      {children(id)}
    </div>
  )
}

function PresentTime() {
  const now = useNow(1000)
  const timeZone = useTimeZone()
  if (now === null) return null
  const time = new Date(now).toLocaleTimeString('en-GB', { timeZone, timeStyle: 'short' })
  return (
    <span className="text-small text-muted">
      It is {time} in {timeZone.replaceAll('_', ' ')}.
    </span>
  )
}
