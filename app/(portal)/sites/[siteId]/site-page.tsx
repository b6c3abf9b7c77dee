import { ExternalLink } from 'lucide-react'
import { Fragment, type ReactNode } from 'react'
import { ActingConnection } from '@/app/_shared/connections/acting-connection'
import { ForeignService } from '@/app/_shared/connections/foreign-service'
import { SandboxFrame } from '@/app/_shared/frame/sandbox-frame'
import { subjectPages } from '@/app/_shared/frame/subject-page'
import { SiteStateChip, titleOfDomain } from '@/app/_shared/sites/site-cells'
import { webAddressOf } from '@/app/_shared/sites/web-address'
import { ButtonLink } from '@/app/_ui/button'
import { Tag } from '@/app/_ui/label-chip'
import { PageBody, PageHead, PageTitle } from '@/app/_ui/page-head'
import { Link } from '@/app/_ui/page-link'
import { PageTabs } from '@/app/_ui/page-tabs'
import { contract } from '@/lib/contract/index'
import type { Operation } from '@/lib/contract/operation'
import { findOffers } from '@/lib/portal/access/decide'
import { may } from '@/lib/portal/access/roles'
import type { Actor } from '@/lib/portal/identity/actor'
import type { SiteRow } from '@/lib/portal/subjects/sites/row'
import { toReadableDomain } from '@/lib/text/idn'
import { findPageSite } from './find-page-site'

/** The header of all pages of a site. It is identical on each of them, so that the tabs below it do not move. */
function SiteHead({ site, tabs }: { site: SiteRow; tabs: readonly { href: string; name: string }[] }) {
  const { domain, server, serverId } = site
  const address = webAddressOf(site)
  const readable = toReadableDomain(domain)
  const open = address && (
    <ButtonLink href={address} target="_blank" rel="noopener noreferrer">
      <ExternalLink aria-hidden size={16} strokeWidth={1.5} />
      Open site
    </ButtonLink>
  )
  return (
    <PageHead
      trail={[{ href: '/sites', name: 'Sites' }]}
      heading={
        <PageTitle>
          <span title={titleOfDomain(domain)} className="wrap-anywhere">
            <Breakable domain={readable} />
          </span>
        </PageTitle>
      }
      facts={
        <>
          <SiteStateChip state={site.state} />
          {site.sandbox ? <Tag label="Sandbox" variant="sandbox" /> : null}
          {readable === domain ? null : <span className="font-mono text-code break-all text-muted">{domain}</span>}
          <ServerLink server={server} serverId={serverId} />
        </>
      }
      actions={open}
      tabs={<PageTabs label={`Pages of ${readable}`} tabs={tabs} />}
    />
  )
}

/** Where the domain needs a second line, it begins after a dot. */
function Breakable({ domain }: { domain: string }) {
  const labels = domain.split(/(?<=\.)/)
  return labels.map((label, at) => (
    <Fragment key={labels.slice(0, at + 1).join('')}>
      {at > 0 ? <wbr /> : null}
      {label}
    </Fragment>
  ))
}

function ServerLink({ server, serverId }: Pick<SiteRow, 'server' | 'serverId'>) {
  if (server === '') return null
  return (
    <span className="min-w-0 break-words text-muted">
      On{' '}
      {serverId === null ? (
        server
      ) : (
        <Link
          href={`/servers/${serverId}`}
          className="inline-flex min-h-6 items-center rounded-control text-accent underline hover:text-accent-hover"
        >
          {server}
        </Link>
      )}
    </span>
  )
}

// The pages of a site that a reader may open.

type Tab = { href: string; name: string }

const { sites, apps, database, aliases, email, backups, logs } = contract

/** offers: what the reader may do on it. What each page needs to be read. access: whether the reader may see who has access. */
export function siteTabs(
  { id, extensions }: Pick<SiteRow, 'id' | 'extensions'>,
  offers: (operation: Operation) => boolean,
  access: boolean,
): Tab[] {
  const base = `/sites/${id}`
  const tab = (path: string, name: string, open: boolean): Tab[] => (open ? [{ href: `${base}${path}`, name }] : [])
  return [
    ...tab('', 'Overview', offers(sites.summary)),
    ...tab('/app', 'App', offers(apps.get)),
    ...tab('/database', 'Database', offers(database.get)),
    ...tab('/aliases', 'Aliases', offers(aliases.list)),
    ...tab('/ssl', 'SSL', offers(sites.settings)),
    ...tab('/email', 'Email', offers(email.get)),
    ...tab('/backups', 'Backups', offers(backups.list)),
    ...tab('/logs', 'Logs', extensions && offers(logs.fetchSite)),
    ...tab('/access', 'Access', access),
    ...tab('/settings', 'Settings', extensions && offers(sites.settings)),
  ]
}

type FrameProps = { actor: Actor; subject: SiteRow; children: ReactNode }

/** What the pages of a site share: header, tabs, and the frame around a sandbox server’s site. */
async function SiteFrame({ actor, subject: site, children }: FrameProps) {
  const offers = await findOffers(actor, { siteId: site.id })
  return (
    <ForeignService foreign={!site.extensions}>
      <ActingConnection label={site.acting}>
        <SandboxFrame sandbox={site.sandbox}>
          <SiteHead site={site} tabs={siteTabs(site, offers, may(actor.role, 'team', 'read'))} />
          <PageBody>{children}</PageBody>
        </SandboxFrame>
      </ActingConnection>
    </ForeignService>
  )
}

export const { subjectPage, framedPage } = subjectPages({
  find: ({ siteId }: { siteId: string }) => findPageSite(siteId),
  targetOf: ({ id }) => ({ siteId: id }),
  Frame: SiteFrame,
})
