import type { ChainState } from '@/lib/portal/audit/chain-watch'
import { formatCount } from '../../_ui/count'
import { Notice } from '../../_ui/notice'
import { RelativeTime } from '../../_ui/relative-time'

/** Whether the record can be believed. */
export function ChainNotice({ chain }: { chain: ChainState | null }) {
  if (chain === null) return <p className="text-small text-muted">The record is being checked. Load the page again in a moment.</p>
  const at = <RelativeTime at={new Date(chain.at).toISOString()} />
  if (chain.verdict.ok) {
    return (
      <p className="text-small text-muted">
        The record is unbroken: {formatCount(chain.verdict.rows)} rows, checked {at}.
      </p>
    )
  }
  return (
    <Notice tone="danger" alert title={`The record was tampered with at row ${chain.verdict.badSeq}.`}>
      <p>
        {chain.verdict.why} From there on it cannot be believed. Somebody wrote into the portal’s database past the portal: keep a copy of
        the database as it is, find out who can reach it, and compare with your newest backup. Checked {at}.
      </p>
    </Notice>
  )
}
