'use client'

import { ConfirmDestroy } from '@/app/_shared/dialogs/confirm-destroy'
import { countOf } from '@/app/_ui/count'
import { pushSite } from './actions'
import { ChooseParts } from './copied-parts'
import { FromTo } from './from-to'
import { LiveChanges } from './live-changes'
import { type CopyDialogProps, NotOneMoment } from './pull-dialog'
import { followChange } from './use-app-changes'
import { useCopiedParts } from './use-copied-parts'

/** Replaces parts of the live site, confirmed by its domain. */
export function PushDialog(props: CopyDialogProps) {
  const { siteId, domain, live, copy, tables, mixed, liveChanges, reported, change, onClose } = props
  const parts = useCopiedParts(tables, 'push')
  const lost = parts.database ? parts.chosen.filter(({ changed }) => changed).length : 0
  return (
    <ConfirmDestroy
      open
      onOpenChange={onClose}
      title="Push to live"
      description={
        reported
          ? 'Replaces the chosen parts of the live site. A backup of it is made first; if that fails, nothing is pushed.'
          : 'Replaces the chosen parts of the live site. The service decides whether a backup is made first.'
      }
      name={domain}
      action={pushSite}
      target={{ siteId }}
      refetch={change.starting}
      pendingLabel="Starting…"
      onDone={(started) => {
        onClose()
        followChange(change, started, `${live} was replaced.`)
      }}
    >
      <FromTo from={copy} to={live} />
      <ChooseParts parts={parts} direction="push" {...props} />
      {reported && parts.files ? <LiveChanges changes={liveChanges} /> : null}
      {lost > 0 ? (
        <p className="text-small text-warn">
          {countOf(lost, 'chosen table')} changed on live since the pull. The push replaces what visitors wrote there.
        </p>
      ) : null}
      {mixed && parts.database ? <NotOneMoment /> : null}
    </ConfirmDestroy>
  )
}
