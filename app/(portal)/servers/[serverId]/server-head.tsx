import type { ReactNode } from 'react'
import { mayRun } from '@/lib/portal/access/roles'
import type { Actor } from '@/lib/portal/identity/actor'
import { findNewestJob } from '@/lib/portal/jobs/view'
import { listLabelNames } from '@/lib/portal/subjects/labels/labels'
import type { ServerRow } from '@/lib/portal/subjects/servers/row'
import { PageHead } from '../../../_ui/page-head'
import { PageTabs } from '../../../_ui/page-tabs'
import { Tag } from '../../../_ui/tag'
import { ServerName } from './edit-server'
import { findInstallJob } from './find-page-server'
import { JobWatch } from './job-watch'
import { PresentMembers } from './present-members'
import { ServerLabels } from './server-labels'
import { ServerMenu } from './server-menu'

type ServerHeadProps = { actor: Actor; server: ServerRow; state: ReactNode }

/** The header of all pages of a server. It is identical on each of them, so that the tabs below it do not move. */
export async function ServerHead({ actor, server, state }: ServerHeadProps) {
  const [labels, newest, install] = await Promise.all([
    listLabelNames(actor),
    findNewestJob(actor, { serverId: server.id }),
    findInstallJob(server.id),
  ])
  const hasInstall = server.state !== 'ready' || install !== null
  const base = `/servers/${server.id}`
  const tabs = [
    { href: base, name: 'Overview' },
    ...(hasInstall ? [{ href: `${base}/install`, name: 'Install' }] : []),
    { href: `${base}/sites`, name: 'Sites' },
    { href: `${base}/cron`, name: 'Cron' },
    { href: `${base}/users`, name: 'Users' },
    { href: `${base}/firewall`, name: 'Firewall' },
    { href: `${base}/logs`, name: 'Logs' },
    { href: `${base}/mail`, name: 'Mail' },
    { href: `${base}/backups`, name: 'Backups' },
    { href: `${base}/settings`, name: 'Settings' },
  ]
  return (
    <PageHead
      trail={[{ href: '/servers', name: 'Servers' }]}
      heading={<ServerName server={server} may={mayRun(actor.role, 'change')} />}
      facts={
        <>
          {state}
          {server.sandbox ? <Tag label="Sandbox" variant="sandbox" /> : null}
          <ServerLabels serverId={server.id} labels={server.labels} known={labels} mayChange={mayRun(actor.role, 'change')} />
          {/* On a phone it keeps its line until the first list says the hostname, so that the tabs do not move then. */}
          <span className="font-mono text-code break-all max-tablet:order-last max-tablet:min-h-5 max-tablet:basis-full">
            {server.hostname}
          </span>
          <PresentMembers serverId={server.id} />
          <JobWatch serverId={server.id} newest={newest} />
        </>
      }
      actions={<ServerMenu serverId={server.id} name={server.name} mayDelete={mayRun(actor.role, 'destroy')} />}
      tabs={<PageTabs label={`Pages of ${server.name}`} tabs={tabs} />}
    />
  )
}
