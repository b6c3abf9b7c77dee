import type { Metadata } from 'next'
import { ButtonLink } from '@/app/_ui/button'
import { EmptyState } from '@/app/_ui/empty-state'
import { Notice } from '@/app/_ui/notice'
import { PageBody, PageHead } from '@/app/_ui/page-head'
import { Card } from '@/app/_ui/section'
import { contract } from '@/lib/contract'
import { findOffers } from '@/lib/portal/access/decide'
import { mayRun } from '@/lib/portal/access/roles'
import { requireActor } from '@/lib/portal/identity/actor'
import { AddSite } from './add-site-form'
import { findSiteHosts } from './find-hosts'

export const metadata: Metadata = { title: 'Add site' }

type Search = { searchParams: Promise<Record<string, string | string[] | undefined>> }

export default async function AddSitePage({ searchParams }: Search) {
  const [actor, { server, domain, backup }] = await Promise.all([requireActor(), searchParams])
  const mayChange = mayRun(actor.role, 'change')
  const hosts = mayChange ? await findSiteHosts(actor, textOf(server)) : []
  return (
    <>
      <PageHead trail={[{ href: '/sites', name: 'Sites' }]} title={textOf(backup) === '' ? 'Add site' : 'Restore deleted site'} />
      <PageBody>
        {!mayChange ? (
          <Notice tone="info" title="You have view-only access." action={<ButtonLink href="/sites">Back to the sites</ButtonLink>}>
            A team owner, admin or operator can add a site.
          </Notice>
        ) : hosts.length === 0 ? (
          <NoHosts mayAdd={(await findOffers(actor))(contract.servers.create)} />
        ) : (
          <AddSite hosts={hosts} given={{ serverId: textOf(server), domain: textOf(domain), backup: textOf(backup, 300) }} />
        )}
      </PageBody>
    </>
  )
}

const textOf = (value: string | string[] | undefined, max = 253): string => (typeof value === 'string' ? value.slice(0, max) : '')

/** A site needs a server, and that has to be installed. mayAdd: whether they can add one. */
const NoHosts = ({ mayAdd }: { mayAdd: boolean }) => (
  <Card>
    <EmptyState
      title="No server is ready for a site"
      actions={
        <>
          <ButtonLink href="/servers" variant="primary">
            View servers
          </ButtonLink>
          {mayAdd ? <ButtonLink href="/servers/new">Add server</ButtonLink> : null}
        </>
      }
    >
      <p>
        A site runs on an installed server.{' '}
        {mayAdd ? 'Add a server, or install one that you have added.' : 'You have no access to one where you could add a site.'}
      </p>
    </EmptyState>
  </Card>
)
