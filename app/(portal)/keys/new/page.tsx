import type { Metadata } from 'next'
import { ButtonLink } from '@/app/_ui/button'
import { Notice } from '@/app/_ui/notice'
import { PageBody, PageHead } from '@/app/_ui/page-head'
import { mayKeep } from '@/lib/portal/access/roles'
import { requireActor } from '@/lib/portal/identity/actor'
import { AddConnectionForm } from './add-connection-form'

export const metadata: Metadata = { title: 'Add connection' }

export default async function AddConnectionPage() {
  const { role } = await requireActor()
  return (
    <>
      <PageHead trail={[{ href: '/keys', name: 'Connections' }]} title="Add connection" />
      <PageBody>
        {mayKeep(role, 'own') ? (
          <AddConnectionForm mayLend={mayKeep(role, 'team')} />
        ) : (
          <Notice tone="info" title="You have view-only access." action={<ButtonLink href="/keys">Back to connections</ButtonLink>}>
            A team owner, admin or operator can add a connection.
          </Notice>
        )}
      </PageBody>
    </>
  )
}
