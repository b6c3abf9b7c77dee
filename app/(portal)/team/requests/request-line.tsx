'use client'

import { formatAsked, formatLenders, nameOfRequest, stateWords } from '@/app/_shared/access-requests/request-words'
import { EarlyButton } from '@/app/_ui/early-button'
import { Link } from '@/app/_ui/page-link'
import { RelativeTime } from '@/app/_ui/relative-time'
import { StateChip } from '@/app/_ui/state-chip'
import type { AccessRequestView } from '@/lib/portal/subjects/team/requests/list'

type RequestLineProps = {
  request: AccessRequestView
  /** Whether it is the reader’s. */
  own: boolean
  /** For one that the reader can answer. */
  onOpen?: (dialog: 'approve' | 'refuse', request: AccessRequestView) => void
}

/** Who asks for what, for how long and why; and the answer, or the buttons for one. */
export function RequestLine({ request, own, onOpen }: RequestLineProps) {
  const { asker, why, at, state, answeredAt, answeredBy, reason, answerable, page, place, lenders, lendable } = request
  const { label, tone } = stateWords[state]
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 py-3">
      <div className="min-w-0 flex-1 basis-72">
        <p className="wrap-anywhere">
          <strong className="font-semibold">{own ? 'You' : asker.name}</strong> asked to {formatAsked(request)}.
        </p>
        <p className="text-small wrap-anywhere text-muted">
          {why} · <RelativeTime at={at} />
          {place === null || place.name === null ? null : (
            <>
              {' · '}
              <Link href={page} className="text-accent underline hover:text-accent-hover">
                Open {place.name}
              </Link>
            </>
          )}
        </p>
        {state === 'open' && lenders.length > 0 && !lendable ? (
          <p className="text-small wrap-anywhere text-muted">It can be used once {formatLenders(lenders)} a connection for it.</p>
        ) : null}
        {state === 'open' ? null : (
          <p className="text-small wrap-anywhere text-muted">
            {answeredBy ? `${answeredBy}, ` : null}
            {answeredAt === null ? null : <RelativeTime at={answeredAt} />}
            {reason === '' ? null : `: ${reason}`}
          </p>
        )}
      </div>
      {answerable && onOpen ? (
        <div className="flex gap-2">
          <EarlyButton
            variant="ghost"
            aria-label={`Refuse… ${asker.name}: ${nameOfRequest(request)}`}
            onClick={() => onOpen('refuse', request)}
          >
            Refuse…
          </EarlyButton>
          <EarlyButton aria-label={`Approve… ${asker.name}: ${nameOfRequest(request)}`} onClick={() => onOpen('approve', request)}>
            Approve…
          </EarlyButton>
        </div>
      ) : (
        <StateChip tone={tone} label={label} />
      )}
    </li>
  )
}
