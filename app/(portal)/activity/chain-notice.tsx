import type { ChainState } from '@/lib/portal/audit/chain-watch'
import { formatCount } from '../../_ui/count'
import { Notice } from '../../_ui/notice'
import { RelativeTime } from '../../_ui/relative-time'

/** Whether the audit log's integrity is verified. */
export function ChainNotice({ chain }: { chain: ChainState | null }) {
  if (chain === null)
    return <p className="text-small text-muted">The integrity of the log is being checked. Reload the page in a moment.</p>
  const at = <RelativeTime at={new Date(chain.at).toISOString()} />
  if (chain.verdict.ok) {
    return (
      <p className="text-small text-muted">
        Log integrity verified · {formatCount(chain.verdict.rows)} entries · checked {at}
      </p>
    )
  }
  return (
    <Notice tone="danger" alert title={`The log was tampered with at entry ${chain.verdict.badSeq}.`}>
      <p>
        {chain.verdict.why} Entries from there on cannot be trusted. Someone wrote to Gatehouse’s database directly: keep a copy of the
        database as it is, find out who has access to it, and compare it with your newest backup. Checked {at}.
      </p>
    </Notice>
  )
}
