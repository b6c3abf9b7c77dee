import type { HeldState } from '@/lib/portal/approvals/view'
import { StateChip, type Tone } from '../../_ui/state-chip'

const states: Readonly<Record<HeldState, readonly [Tone, string]>> = {
  waiting: ['warn', 'Waiting'],
  approved: ['accent', 'Approved'],
  ready: ['accent', 'Approved'],
  sending: ['accent', 'Being sent'],
  sent: ['done', 'Approved and sent'],
  failed: ['danger', 'Approved, but failed'],
  unknown: ['warn', 'Sent, outcome unknown'],
  refused: ['neutral', 'Refused'],
  withdrawn: ['neutral', 'Withdrawn'],
  expired: ['neutral', 'Expired'],
}

export function HeldStateChip({ state }: { state: HeldState }) {
  const [tone, label] = states[state]
  return <StateChip tone={tone} label={label} />
}
