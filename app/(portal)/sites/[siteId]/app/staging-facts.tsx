'use client'

import { useState } from 'react'
import { StartButton } from '@/app/_shared/forms/start-button'
import { webAddressOf } from '@/app/_shared/sites/web-address'
import { CodeBlock } from '@/app/_ui/code-block'
import { EarlyButton } from '@/app/_ui/early-button'
import { EmptyState } from '@/app/_ui/empty-state'
import { Facts } from '@/app/_ui/facts'
import { lazyComponent } from '@/app/_ui/lazy'
import { RelativeTime } from '@/app/_ui/relative-time'
import { Card } from '@/app/_ui/section'
import type { SiteRow } from '@/lib/portal/subjects/sites/row'
import { toReadableDomain } from '@/lib/text/idn'
import { pullSite } from '../actions'
import { arePlain, SshPort } from '../upload'
import type { StagingCopy } from './copied-tables'
import { type AppChanges, followChange } from './use-app-changes'

const SetSftpPassword = lazyComponent(() => import('../set-passwords').then((file) => file.SetSftpPassword))
const SetDatabasePassword = lazyComponent(() => import('../set-passwords').then((file) => file.SetDatabasePassword))

type StagingAccessProps = { site: SiteRow; access: NonNullable<StagingCopy['access']>; may: boolean }

const buttonIds = { sftp: 'set-staging-sftp-password', database: 'set-staging-database-password' } as const

/** How to upload to the staging copy, its database, and new passwords for both. Nobody knows those that a pull has made. */
export function StagingAccess({ site, access, may }: StagingAccessProps) {
  const [asking, setAsking] = useState<keyof typeof buttonIds | null>(null)
  const close = () => {
    setAsking(null)
    // The dialog that closes is not the one that the button opened, so the focus would be lost.
    if (asking) requestAnimationFrame(() => document.getElementById(buttonIds[asking])?.focus())
  }
  const host = access.ip || site.serverHost
  const mayChange = may && site.serverId !== null && site.deletingJobId === null
  return (
    <>
      <SshPort serverId={site.serverId}>
        {(port) => (
          <>
            <h3 className="font-semibold">Upload to staging by SFTP</h3>
            <Facts
              facts={[
                { label: 'Host', value: host, code: true },
                { label: 'Port', value: port, code: true },
                { label: 'User', value: access.user, code: true },
                { label: 'Folder', value: access.root, code: true },
              ]}
            />
            {arePlain([access.user, host, port]) ? (
              <CodeBlock text={`sftp ${port === '22' ? '' : `-P ${port} `}${access.user}@${host}`} what="the command" />
            ) : null}
          </>
        )}
      </SshPort>
      {mayChange ? (
        <div>
          <EarlyButton id={buttonIds.sftp} onClick={() => setAsking('sftp')}>
            Set SFTP password
          </EarlyButton>
        </div>
      ) : null}
      <h3 className="font-semibold">Database of staging</h3>
      <Facts
        facts={[
          { label: 'Name', value: access.db_name, code: true },
          { label: 'User', value: access.db_user, code: true },
          { label: 'Host', value: access.db_host, code: true },
        ]}
      />
      {mayChange ? (
        <div>
          <EarlyButton id={buttonIds.database} onClick={() => setAsking('database')}>
            Set database password
          </EarlyButton>
        </div>
      ) : null}
      {asking === 'sftp' ? <SetSftpPassword siteId={site.id} user={access.user} staging onClose={close} /> : null}
      {asking === 'database' ? <SetDatabasePassword siteId={site.id} database={access.db_name} staging onClose={close} /> : null}
    </>
  )
}

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
