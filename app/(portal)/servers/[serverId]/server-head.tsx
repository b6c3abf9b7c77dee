import type { ReactNode } from 'react'
import { Tag } from '@/app/_ui/label-chip'
import { PageHead } from '@/app/_ui/page-head'
import { PageTabs } from '@/app/_ui/page-tabs'
import { servers } from '@/lib/contract/operations/servers'
import { findOffers } from '@/lib/portal/access/decide'
import { may } from '@/lib/portal/access/roles'
import type { Actor } from '@/lib/portal/identity/actor'
import { findNewestJob } from '@/lib/portal/jobs/view'
import { listKnownLabels } from '@/lib/portal/subjects/labels/access-labels'
import type { ServerRow } from '@/lib/portal/subjects/servers/row'
import { ServerName } from './edit-server'
import { findInstallJob } from './find-page-server'
import { JobWatch } from './job-watch'
import { PresentMembers } from './present-members'
import { ServerLabels } from './server-labels'
import { ServerMenu } from './server-menu'
import { serverTabs } from './server-tabs'

type ServerHeadProps = { actor: Actor; server: ServerRow; state: ReactNode }

/** The header of all pages of a server. It is identical on each of them, so that the tabs below it do not move. */
export async function ServerHead({ actor, server, state }: ServerHeadProps) {
  const [{ known, giving }, newest, install, offers] = await Promise.all([
    listKnownLabels(actor),
    findNewestJob(actor, { serverId: server.id }),
    findInstallJob(server.id),
    findOffers(actor, { serverId: server.id }),
  ])
  const hasInstall = server.state !== 'ready' || install !== null
  const tabs = serverTabs(server, offers, { install: hasInstall, access: may(actor.role, 'team', 'read') })
  return (
    <PageHead
      trail={[{ href: '/servers', name: 'Servers' }]}
      heading={<ServerName server={server} may={offers(servers.update)} />}
      facts={
        <>
          {state}
          {server.sandbox ? <Tag label="Sandbox" variant="sandbox" /> : null}
          <ServerLabels
            serverId={server.id}
            labels={server.labels}
            known={known}
            giving={giving}
            mayChange={offers(servers.update)}
            mayGrant={may(actor.role, 'team', 'change')}
          />
          {/* On a phone it keeps its line until the first list says the hostname, so that the tabs do not move then. */}
          <span className="font-mono text-code break-all max-tablet:order-last max-tablet:min-h-5 max-tablet:basis-full">
            {server.hostname}
          </span>
          <PresentMembers serverId={server.id} />
          <JobWatch serverId={server.id} newest={newest} />
        </>
      }
      actions={<ServerMenu serverId={server.id} name={server.name} mayDelete={offers(servers.delete)} />}
      tabs={<PageTabs label={`Pages of ${server.name}`} tabs={tabs} />}
    />
  )
}
