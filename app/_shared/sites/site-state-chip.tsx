import { StateChip } from '../../_ui/state-chip'
import { siteChipOf } from './site-state'

/** Nothing for a site whose service reports no state. */
export function SiteStateChip({ state }: { state: string }) {
  const chip = siteChipOf(state)
  return chip && <StateChip {...chip} />
}
