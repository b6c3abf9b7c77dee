'use client'

import { Card } from '@/app/_ui/section'
import type { Cut } from '@/lib/contract/problem'
import { Button, ButtonLink } from '../../_ui/button'
import { useNow } from '../../_ui/clock'
import { countOf, formatCount } from '../../_ui/count'
import { EmptyState } from '../../_ui/empty-state'
import { Notice } from '../../_ui/notice'
import { RelativeTime } from '../../_ui/relative-time'
import { AskForMissing } from '../access-requests/ask-context'
import { usePortalLink } from '../frame/portal-link'
import type { ReadState } from './use-read'

/** "Retrying in 12 s.", counted down. `at` is ms since 1970; null if no time was given. */
export function RetryCountdown({ at }: { at: number | null }) {
  const now = useNow(1000)
  const seconds = at === null || now === null ? 0 : Math.ceil((at - now) / 1000)
  return seconds > 0 ? <span className="whitespace-nowrap">Retrying in {seconds} s.</span> : 'Retrying automatically.'
}

type ReadErrorProps = {
  read: Pick<ReadState<unknown>, 'problem' | 'readAt'> &
    Partial<Pick<ReadState<unknown>, 'retryAt' | 'reading' | 'again' | 'cut' | 'unreadable'>>
  /** A sentence saying what is unknown as long as no read has succeeded. */
  nothingRead?: string
}

/** Why the newest read failed, and how old the shown data is; after a successful read, at most what is missing from a list. */
export function ReadError({ read: { problem, readAt, retryAt = null, reading, again, cut, unreadable = 0 }, nothingRead }: ReadErrorProps) {
  // The bar at the top of the page reports it once for everything on the page.
  const { link } = usePortalLink()
  if (link !== 'up') return null
  if (!problem) {
    return (
      <>
        {cut ? <Notice tone="warn" title={`${formatCut(cut, 'item')}.`} /> : null}
        {unreadable > 0 ? <Notice tone="warn" title={formatUnreadable(unreadable)} /> : null}
      </>
    )
  }
  if (problem.code === 'not_installed' && readAt === null) return <NotInstalled sentence={problem.sentence} />
  // A reboot that a user started is not a failure.
  const rebooting = problem.code === 'rebooting'
  // Nothing was called, and nothing is until somebody thaws it.
  const frozen = problem.code === 'key_frozen'
  const tryAgain = again && (
    <Button onClick={again} disabled={reading}>
      Try again
    </Button>
  )
  return (
    <Notice
      tone={rebooting ? 'info' : readAt === null ? 'danger' : 'warn'}
      title={problem.sentence}
      action={frozen ? <ViewConnections /> : problem.code === 'forbidden' ? <AskForMissing otherwise={tryAgain} /> : tryAgain}
    >
      {readAt === null ? (
        nothingRead && !rebooting && `${nothingRead} `
      ) : (
        <>
          Last updated <RelativeTime at={new Date(readAt).toISOString()} />.{' '}
        </>
      )}
      {frozen ? null : <RetryCountdown at={retryAt} />}
    </Notice>
  )
}

export const ViewConnections = () => <ButtonLink href="/keys">View connections</ButtonLink>

/** Nothing failed: the software whose data would be listed is not installed. */
const NotInstalled = ({ sentence }: { sentence: string }) => (
  <Card>
    <EmptyState title="Not on this server">
      <p>{sentence}</p>
    </EmptyState>
  </Card>
)

/** "Showing the first 20,000 of 60,000 servers" */
export const formatCut = ({ shown, total }: Cut, noun: string): string =>
  `Showing the first ${formatCount(shown)} of ${countOf(total, noun)}`

/** "1 item could not be read." */
export const formatUnreadable = (unreadable: number): string => `${countOf(unreadable, 'item')} could not be read.`
