import { Plus } from 'lucide-react'
import type { Metadata } from 'next'
import { mayKeep } from '@/lib/portal/access/roles'
import { requireActor } from '@/lib/portal/identity/actor'
import { listConnections } from '@/lib/portal/subjects/connections/list'
import { listBorrowed } from '@/lib/portal/subjects/lending/view'
import { ButtonLink } from '../../_ui/button'
import { Card } from '../../_ui/card'
import { EmptyState } from '../../_ui/empty-state'
import { PageBody, PageHead } from '../../_ui/page-head'
import { Borrowed } from './borrowed'
import { KeyTable } from './key-table'

export const metadata: Metadata = { title: 'Connections' }

export default async function KeysPage() {
  const actor = await requireActor()
  const [connections, borrowed] = await Promise.all([listConnections(actor), listBorrowed(actor)])
  const mayAdd = mayKeep(actor.role, 'own')
  return (
    <>
      <PageHead title="Connections" actions={mayAdd ? <AddLink /> : null} />
      <PageBody>
        <p className="-mt-2 max-w-[72ch] text-muted">
          Each connection points to a service that manages servers. Its API key is stored encrypted and decrypted for one call at a time.
          Nobody can read it here again; use the fingerprint to tell keys apart.
        </p>
        {connections.length === 0 && borrowed.length > 0 ? null : (
          <KeyTable connections={connections} empty={<NoConnections mayAdd={mayAdd} />} />
        )}
        <Borrowed connections={borrowed} />
      </PageBody>
    </>
  )
}

const AddLink = () => (
  <ButtonLink href="/keys/new" variant="primary">
    <Plus aria-hidden size={16} strokeWidth={1.5} />
    Add connection
  </ButtonLink>
)

function NoConnections({ mayAdd }: { mayAdd: boolean }) {
  return (
    <Card>
      <EmptyState title="No connections yet">
        <p>
          A connection is a service’s address plus an API key, for example{' '}
          <code className="font-mono text-code text-ink">https://panel.example.org/api</code>.
        </p>
        {mayAdd ? null : <p>You cannot add one. A connection that a member lends you appears here.</p>}
      </EmptyState>
    </Card>
  )
}
