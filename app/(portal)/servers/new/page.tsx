import type { Metadata } from 'next'
import { WhoCanGrant } from '@/app/_shared/access/who-can-grant'
import { ButtonLink } from '@/app/_ui/button'
import { Notice } from '@/app/_ui/notice'
import { PageBody, PageHead } from '@/app/_ui/page-head'
import { contract } from '@/lib/contract'
import { canAct, findSimulating, listUsableConnections, upstreamOf } from '@/lib/portal/access/connections'
import { findOffers } from '@/lib/portal/access/decide'
import { mayRun } from '@/lib/portal/access/roles'
import { requireActor } from '@/lib/portal/identity/actor'
import { listProviders } from '@/lib/portal/subjects/servers/providers'
import { CreateSandboxButton } from '../create-sandbox-button'
import { AddServerForm } from './add-server-form'

export const metadata: Metadata = { title: 'Add server' }

type Search = { searchParams: Promise<Record<string, string | string[] | undefined>> }

export default async function AddServerPage({ searchParams }: Search) {
  const actor = await requireActor()
  const [{ provider }, connections] = await Promise.all([searchParams, listUsableConnections(actor)])
  const usable = connections.filter(canAct)
  const [sandbox, providers] = [findSimulating(usable), await listProviders(actor)]
  const mayAdd = (await findOffers(actor))(contract.servers.create)
  return (
    <>
      <PageHead
        trail={[{ href: '/servers', name: 'Servers' }]}
        title="Add server"
        actions={sandbox && mayAdd ? <CreateSandboxButton connectionId={sandbox.id} /> : null}
      />
      <PageBody>
        {mayAdd ? (
          <AddServerForm
            startWith={provider === 'sandbox' ? 'sandbox' : 'ssh'}
            connections={usable.map((connection) => {
              const { id, label, extensions, kind } = connection
              return { id, label, extensions, bundled: kind === 'bundled', providers: providers.get(upstreamOf(connection)) ?? [] }
            })}
          />
        ) : (
          <Notice
            tone="info"
            title={mayRun(actor.role, 'change') ? 'Your access does not include this.' : 'You have view-only access.'}
            action={<ButtonLink href="/servers">Back to the servers</ButtonLink>}
          >
            <WhoCanGrant actor={actor} otherwise="A team owner, admin or operator can add a server." />
          </Notice>
        )}
      </PageBody>
    </>
  )
}
