import type { ReactNode } from 'react'
import { RelativeTime } from '../../_ui/relative-time'
import { StateChip } from '../../_ui/state-chip'

/** title: the moment in words. */
export const EndsAt = ({ at, title }: { at: string; title: string }) => (
  <span title={title}>
    <RelativeTime at={at} />
  </span>
)

/** What has not begun yet: when it does, and its end. */
export const Planned = ({ from, end }: { from: string; end: ReactNode }) => (
  <>
    <span className="block">
      <StateChip tone="accent" label="Begins" /> <RelativeTime at={from} />
    </span>
    {end}
  </>
)
