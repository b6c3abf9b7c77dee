import { Plus } from 'lucide-react'
import { Suspense } from 'react'
import { WhoCanGrant } from '@/app/_shared/access/who-can-grant'
import { CollectionSkeleton } from '@/app/_shared/collection/collection-skeleton'
import { firstRowsOf } from '@/app/_shared/collection/first-rows'
import { addressOfNewSite } from '@/app/_shared/sites/no-sites'
import { SiteList } from '@/app/_shared/sites/site-list'
import { siteCollection } from '@/app/_shared/sites/site-rows'
import { ButtonLink } from '@/app/_ui/button'
import { Section } from '@/app/_ui/section'
import { sites as siteOperations } from '@/lib/contract/operations/sites'
import { findOffers } from '@/lib/portal/access/decide'
import type { Actor } from '@/lib/portal/identity/actor'
import type { ServerRow } from '@/lib/portal/subjects/servers/row'
import { findKnownSites, listSites } from '@/lib/portal/subjects/sites/list'
import { framedPage } from '../server-page'

type Props = { actor: Actor; subject: ServerRow }

const page = framedPage((name) => `Sites of ${name}`, Sites)

export const generateMetadata = page.generateMetadata
export default page.Page

function Sites(props: Props) {
  return (
    <Suspense fallback={<CollectionSkeleton title="Sites" waitsFor={`Reading the sites of ${props.subject.name}.`} />}>
      <List {...props} />
    </Suspense>
  )
}

async function List({ actor, subject: server }: Props) {
  const { sites, connections } = (await findKnownSites(actor)) ?? (await listSites(actor))
  const own = sites.filter(({ serverId }) => serverId === server.id)
  const mayChange = (await findOffers(actor, { serverId: server.id }))(siteOperations.create)
  const add = (
    <ButtonLink href={addressOfNewSite(server.id)}>
      <Plus aria-hidden size={16} strokeWidth={1.5} />
      Add site
    </ButtonLink>
  )
  return (
    <Section title="Sites" aside={mayChange && own.length > 0 ? add : null}>
      <SiteList
        first={{ ...(await firstRowsOf(siteCollection, own, {})), connections }}
        mayChange={mayChange}
        denied={
          <p>
            <WhoCanGrant actor={actor} otherwise="You have view-only access. A team owner, admin or operator can add the first one." />
          </p>
        }
        server={{ id: server.id, connectionLabel: server.connectionLabel }}
      />
    </Section>
  )
}
