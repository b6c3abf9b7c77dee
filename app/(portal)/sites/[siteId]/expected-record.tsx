import { CopyButton } from '@/app/_ui/copy-button'
import { StateChip } from '@/app/_ui/state-chip'
import type { DnsRecord } from './compare-records'

/** The record that makes a name lead to the site’s server, to be copied. Nothing if the service does not report an address. */
export function ExpectedRecord({ address, noun }: { address: string; noun: 'alias' | 'name' }) {
  if (address === '') return null
  return (
    <p className="flex flex-wrap items-center gap-x-1.5 text-muted">
      Point each {noun} to this address with {address.includes(':') ? 'an AAAA' : 'an A'} record:
      <span className="inline-flex items-center gap-1">
        <code className="font-mono text-code text-ink">{address}</code>
        <CopyButton value={address} what={address.includes(':') ? 'the AAAA record' : 'the A record'} className="-my-1" />
      </span>
    </p>
  )
}

const chips = {
  match: { tone: 'ok', label: 'Matches' },
  differ: { tone: 'warn', label: 'Points elsewhere' },
  missing: { tone: 'warn', label: 'Not found' },
} as const

/** Whether a name leads there. Nothing if it is unknown where it should lead. */
export const PointsChip = ({ result }: { result: DnsRecord['result'] }) => (result === null ? null : <StateChip {...chips[result]} />)
