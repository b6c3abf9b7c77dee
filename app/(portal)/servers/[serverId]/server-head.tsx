import type { ReactNode } from 'react'
import { ButtonLink } from '@/app/_ui/button'
import { Tag } from '@/app/_ui/label-chip'
import { Notice } from '@/app/_ui/notice'
import { PageHead } from '@/app/_ui/page-head'
import { PageTabs } from '@/app/_ui/page-tabs'
import { contract } from '@/lib/contract/index'
import type { Operation } from '@/lib/contract/operation'
import { findOffers } from '@/lib/portal/access/decide'
import { may } from '@/lib/portal/access/roles'
import type { Actor } from '@/lib/portal/identity/actor'
import { findNewestJob } from '@/lib/portal/jobs/view'
import { listKnownLabels } from '@/lib/portal/subjects/labels/access-labels'
import type { ServerRow } from '@/lib/portal/subjects/servers/row'
import { ServerName } from './edit-server'
import { findInstallJob } from './find-page-server'
import { JobWatch, PresentMembers } from './head-state'
import { ServerLabels } from './server-labels'
import { ServerMenu } from './server-menu'

type Tab = { href: string; name: string }

const { servers, cron, users, firewall, logs, mail, serverBackups } = contract

/** offers: what the reader may do on it. What each page needs to be read. */
function serverTabs(
  { id }: Pick<ServerRow, 'id'>,
  offers: (operation: Operation) => boolean,
  also: { install: boolean; access: boolean },
): Tab[] {
  const base = `/servers/${id}`
  const tab = (path: string, name: string, open: boolean): Tab[] => (open ? [{ href: `${base}${path}`, name }] : [])
  return [
    ...tab('', 'Overview', offers(servers.summary)),
    ...tab('/install', 'Install', also.install),
    ...tab('/sites', 'Sites', true),
    ...tab('/cron', 'Cron', offers(cron.list)),
    ...tab('/users', 'Users', offers(users.list)),
    ...tab('/firewall', 'Firewall', offers(firewall.get)),
    ...tab('/logs', 'Logs', offers(logs.fetch)),
    ...tab('/mail', 'Mail', offers(mail.list)),
    ...tab('/backups', 'Backups', offers(serverBackups.list)),
    ...tab('/access', 'Access', also.access),
    ...tab('/settings', 'Settings', offers(servers.summary)),
  ]
}

/** Where somebody is led who may not read the overview. */
export const firstTabOf = (server: Pick<ServerRow, 'id'>, offers: (operation: Operation) => boolean): string =>
  serverTabs(server, offers, { install: false, access: false }).find(({ name }) => name !== 'Sites')?.href ?? `/servers/${server.id}/sites`

/** offersInstall: this user may install, and the page itself has no button for it. */
type InstallNoticeProps = { server: Pick<ServerRow, 'id' | 'state' | 'runningJobId' | 'extensions'>; offersInstall: boolean }

/**
 * Shown on the pages of a server that is not installed: what is missing, with a link to the install. Nothing if it is installed, or
 * that is unknown.
 */
export function InstallNotice({ server, offersInstall }: InstallNoticeProps) {
  const way = (label: string) => <ButtonLink href={`/servers/${server.id}/install`}>{label}</ButtonLink>
  if (server.runningJobId || server.state === 'installing') {
    return <Notice tone="info" title="This server is being installed." action={way('Watch the install')} />
  }
  if (server.state === 'ready' || server.state === '') return null
  if (server.state === 'failed') {
    return (
      <Notice tone="warn" title="The last install failed." action={offersInstall ? way('Install') : null}>
        The install page shows the line that failed.
        {server.extensions ? ' Retrying continues at the first unfinished step.' : null}
      </Notice>
    )
  }
  return (
    <Notice tone="info" title="This server is not installed yet." action={offersInstall ? way('Install') : null}>
      {server.extensions
        ? 'Installing adds a web server, PHP, a database, mail, a firewall and automatic security updates. Anything already set up is kept.'
        : 'The service decides what an install sets up.'}
    </Notice>
  )
}

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
