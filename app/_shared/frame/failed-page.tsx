'use client'

import { Button, ButtonLink } from '../../_ui/button'
import { CopyButton } from '../../_ui/copy-button'
import { MessagePage } from './message-page'

/** A page that could not be rendered. The portal's log has the reference next to the cause. */
export function FailedPage({ error, retry }: { error: unknown; retry: () => void }) {
  const digest = error instanceof Error && 'digest' in error && typeof error.digest === 'string' ? error.digest : null
  return (
    <MessagePage
      title="This page could not be displayed"
      description={
        <>
          <p>Something went wrong in Gatehouse. Nothing was changed. Try again.</p>
          {digest ? (
            <p className="flex items-center gap-1 pt-2">
              Reference in the log: <code className="font-mono text-code text-ink">{digest}</code>
              <CopyButton value={digest} what="the reference" />
            </p>
          ) : null}
        </>
      }
      action={
        <>
          <Button variant="primary" onClick={retry}>
            Try again
          </Button>
          <ButtonLink href="/servers">View servers</ButtonLink>
        </>
      }
    />
  )
}
