'use client'

import { StartButton } from '@/app/_shared/forms/start-button'
import { pullSite } from './actions'
import { type AppChanges, followChange } from './use-app-changes'

/** A new password for the staging copy, which is copied nowhere else: a pull of nothing. */
export function NewPassword({ siteId, changes: { pull, busy } }: { siteId: string; changes: AppChanges }) {
  return (
    <StartButton
      refusal={busy ? 'Other work on the site is still running.' : undefined}
      action={pullSite}
      target={{ siteId, files: '0', database: '0', new_password: '1' }}
      label="New password"
      variant="outline"
      refetch={pull.starting}
      onDone={(started) => followChange(pull, started, 'The staging copy has a new password.')}
    />
  )
}
