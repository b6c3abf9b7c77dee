import { ExternalLink } from 'lucide-react'
import { Fragment } from 'react'
import { SiteStateChip, titleOfDomain } from '@/app/_shared/sites/site-cells'
import { webAddressOf } from '@/app/_shared/sites/web-address'
import { ButtonLink } from '@/app/_ui/button'
import { Tag } from '@/app/_ui/label-chip'
import { PageHead, PageTitle } from '@/app/_ui/page-head'
import { Link } from '@/app/_ui/page-link'
import { PageTabs } from '@/app/_ui/page-tabs'
import type { SiteRow } from '@/lib/portal/subjects/sites/row'
import { toReadableDomain } from '@/lib/text/idn'

/** The header of all pages of a site. It is identical on each of them, so that the tabs below it do not move. */
export function SiteHead({ site, tabs }: { site: SiteRow; tabs: readonly { href: string; name: string }[] }) {
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
