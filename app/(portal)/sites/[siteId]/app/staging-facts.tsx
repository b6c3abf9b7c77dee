'use client'

import { StartButton } from '@/app/_shared/forms/start-button'
import { webAddressOf } from '@/app/_shared/sites/web-address'
import { EmptyState } from '@/app/_ui/empty-state'
import { Facts } from '@/app/_ui/facts'
import { RelativeTime } from '@/app/_ui/relative-time'
import { Card } from '@/app/_ui/section'
import type { SiteRow } from '@/lib/portal/subjects/sites/row'
import { toReadableDomain } from '@/lib/text/idn'
import { pullSite } from './actions'
import type { StagingCopy } from './copied-tables'
import { type AppChanges, followChange } from './use-app-changes'

type StagingFactsProps = { site: SiteRow; copy: StagingCopy; changes: AppChanges; may: boolean }

/** Where the staging copy is, who signs in to it, and how old it is. */
export function StagingFacts({ site, copy: { domain, exists, user, pulled }, changes, may }: StagingFactsProps) {
  const readable = toReadableDomain(domain)
  if (!exists) {
    return (
      <Card>
        <EmptyState title="No staging copy yet">
          <p>
            The first pull makes it at <span className="wrap-anywhere">{readable}</span>. Point that name to the server first, as for the
            site.
          </p>
        </EmptyState>
      </Card>
    )
  }
  const address = webAddressOf({ ...site, domain })
  return (
    <Facts
      facts={[
        {
          label: 'Address',
          value: readable,
          control: address && (
            <a
              href={address}
              target="_blank"
              rel="noopener noreferrer"
              className="min-w-0 rounded-control text-accent underline wrap-anywhere hover:text-accent-hover"
            >
              {readable}
            </a>
          ),
        },
        { label: 'User', value: user, code: true },
        ...(may ? [{ label: 'Password', value: '', control: <NewPassword siteId={site.id} changes={changes} /> }] : []),
        { label: 'Last pull', value: '', control: Number.isNaN(Date.parse(pulled)) ? null : <RelativeTime at={pulled} /> },
      ]}
    />
  )
}

/** A new password for the staging copy, which is copied nowhere else: a pull of nothing. */
function NewPassword({ siteId, changes: { pull, busy } }: { siteId: string; changes: AppChanges }) {
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
