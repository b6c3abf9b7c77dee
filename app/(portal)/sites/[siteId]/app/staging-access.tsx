'use client'

import { useState } from 'react'
import { CodeBlock } from '@/app/_ui/code-block'
import { EarlyButton } from '@/app/_ui/early-button'
import { Facts } from '@/app/_ui/facts'
import { lazyComponent } from '@/app/_ui/lazy'
import type { SiteRow } from '@/lib/portal/subjects/sites/row'
import { arePlain, SshPort } from '../ssh-port'
import type { StagingCopy } from './copied-tables'

const SetSftpPassword = lazyComponent(() => import('../set-sftp-password').then((file) => file.SetSftpPassword))
const SetDatabasePassword = lazyComponent(() => import('../set-database-password').then((file) => file.SetDatabasePassword))

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
