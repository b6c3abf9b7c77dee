import { useState } from 'react'
import type { AccessRequestView } from '@/lib/portal/subjects/team/requests/list'
import { formatLenders } from '../access-requests/request-words'
import { Check } from './what-fields'

/** What an approval takes besides the access: the loan of a connection, which comes along if it is the reader's own, or is left to its owner. */
export function LoanAlong({ request: { asker, lenders, lendable } }: { request: AccessRequestView }) {
  const [lends, setLends] = useState(true)
  if (lenders.length === 0) return null
  if (lendable === null)
    return (
      <p className="text-small wrap-anywhere text-warn">
        {asker.name} can use it once {formatLenders(lenders)} a connection for it. No other connection that they can use lists this.
      </p>
    )
  return (
    <div>
      <input type="hidden" name="lend" value={lends ? lendable.id : ''} />
      <Check label={`Also lend your connection “${lendable.label}” for the same`} checked={lends} onToggle={() => setLends(!lends)} />
      <p className="text-small wrap-anywhere text-muted">
        {lends ? `${asker.name} never sees its key, and you see each use.` : `Without that, ${asker.name} cannot use the access.`}
      </p>
    </div>
  )
}
