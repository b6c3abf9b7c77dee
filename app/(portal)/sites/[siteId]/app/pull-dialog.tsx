'use client'

import { ArrowRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { ActingNote } from '@/app/_shared/connections/acting-connection'
import { ActionForm } from '@/app/_shared/forms/action-form'
import { Dialog, FormButtons } from '@/app/_ui/dialog'
import { pullSite } from '../actions'
import { ChooseParts, useCopiedParts } from './copied-parts'
import type { CopiedTable, StagingCopy } from './copied-tables'
import { type AppChange, followChange } from './use-app-changes'

export type CopyDialogProps = {
  siteId: string
  /** As the service lists it. */
  domain: string
  live: string
  /** The name of the copy, or what it is called while its name is unknown. */
  copy: string
  tables: readonly CopiedTable[]
  filesBytes: number | null
  unread: ReactNode
  /** Whether some tables cannot be copied as of one moment. */
  mixed: boolean
  /** Null if unknown. */
  liveChanges: NonNullable<StagingCopy['live_changes']> | null
  /** Whether the service says how it works. */
  reported: boolean
  change: AppChange
  onClose: () => void
}

/** Copies the live site to its staging copy. */
export function PullDialog(props: CopyDialogProps & { exists: boolean }) {
  const { siteId, live, copy, tables, mixed, reported, exists, change, onClose } = props
  const parts = useCopiedParts(tables, 'pull')
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Pull to staging"
      description={
        !reported
          ? 'Replaces the chosen parts of the staging copy. The service decides where that copy is.'
          : exists
            ? 'Replaces the chosen parts of the staging copy. What was changed there is lost.'
            : 'Makes the staging copy: protected by a password, hidden from search engines, and sending no mail.'
      }
    >
      <FromTo from={live} to={copy} />
      <ActingNote />
      <ActionForm
        action={pullSite}
        refetch={change.starting}
        onDone={(started) => {
          onClose()
          followChange(change, started, exists ? 'The staging copy was updated.' : 'The staging copy was made.')
        }}
        className="mt-4 flex flex-col gap-4"
      >
        {(pending) => (
          <>
            <input type="hidden" name="siteId" value={siteId} />
            <ChooseParts parts={parts} direction="pull" {...props} />
            {mixed && parts.database ? <NotOneMoment /> : null}
            <FormButtons label="Pull to staging" busy="Starting…" pending={pending} onCancel={onClose} />
          </>
        )}
      </ActionForm>
    </Dialog>
  )
}

export const NotOneMoment = () => (
  <p className="text-small text-warn">Some tables are not InnoDB, so a copy made while the site is in use may not be of one moment.</p>
)

/** What is copied where. */
export const FromTo = ({ from, to }: { from: string; to: string }) => (
  <p className="mt-3 flex flex-wrap items-center gap-x-2.5 gap-y-1 rounded-control bg-sunken px-3 py-2">
    <span className="font-semibold wrap-anywhere">{from}</span>
    <ArrowRight aria-hidden size={16} strokeWidth={1.5} className="shrink-0 text-muted" />
    <span className="sr-only">to</span>
    <span className="font-semibold wrap-anywhere">{to}</span>
  </p>
)
