'use client'

import { useState } from 'react'
import { AskInstead } from '@/app/_shared/access-requests/ask-context'
import { focusIfLost } from '@/app/_shared/forms/keep-focus'
import { EarlyButton } from '@/app/_ui/early-button'
import type { SiteRow } from '@/lib/portal/subjects/sites/row'
import { toReadableDomain } from '@/lib/text/idn'
import { type CopyDialogProps, PullDialog } from './pull-dialog'
import { PushDialog } from './push-dialog'
import { type AppChanges, controlIds } from './use-app-changes'

type CopyActionsProps = Omit<CopyDialogProps, 'siteId' | 'domain' | 'live' | 'change' | 'onClose'> & {
  site: SiteRow
  exists: boolean
  changes: AppChanges
  may: boolean
  mayPush: boolean
}

/** The buttons, and the sheet that each opens. */
export function CopyActions({ site, exists, changes: { pull, push, busy }, may, mayPush, ...known }: CopyActionsProps) {
  const [asking, setAsking] = useState<'pull' | 'push' | null>(null)
  const dialog = {
    siteId: site.id,
    domain: site.domain,
    live: toReadableDomain(site.domain),
    ...known,
    onClose: () => {
      setAsking(null)
      if (asking) focusIfLost(() => document.getElementById(controlIds[asking]))
    },
  }
  return (
    <div className="flex flex-wrap gap-2">
      {may ? (
        <EarlyButton id={controlIds.pull} disabled={busy} onClick={() => setAsking('pull')}>
          Pull to staging
        </EarlyButton>
      ) : (
        <AskInstead what="apps change" name="Pull to staging" />
      )}
      {mayPush ? (
        <EarlyButton id={controlIds.push} variant="danger" disabled={busy} onClick={() => setAsking('push')}>
          Push to live
        </EarlyButton>
      ) : (
        <AskInstead what="apps destroy" name="Push to live" />
      )}
      {asking === 'pull' ? <PullDialog {...dialog} exists={exists} change={pull} /> : null}
      {asking === 'push' ? <PushDialog {...dialog} change={push} /> : null}
    </div>
  )
}
