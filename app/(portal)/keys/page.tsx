import { Plus } from 'lucide-react'
import type { Metadata } from 'next'
import { mayKeep } from '@/lib/portal/access/roles'
import { requireActor } from '@/lib/portal/identity/actor'
import { listConnections } from '@/lib/portal/subjects/connections/list'
import { ButtonLink } from '../../_ui/button'
import { Card } from '../../_ui/card'
import { EmptyState } from '../../_ui/empty-state'
import { PageBody, PageHead } from '../../_ui/page-head'
import { KeyTable } from './key-table'

export const metadata: Metadata = { title: 'Keys' }

export default async function KeysPage() {
  const actor = await requireActor()
  const connections = await listConnections(actor)
  const mayAdd = mayKeep(actor.role, 'own')
  return (
    <>
      <PageHead title="Keys" actions={mayAdd ? <AddLink /> : null} />
      <PageBody>
        <p className="-mt-2 max-w-[72ch] text-muted">
          Each connection leads to a service that looks after servers. Its API key is sealed on this machine and opened for one call at a
          time; nobody can read it here again, so what tells two keys apart is the fingerprint.
        </p>
        <KeyTable connections={connections} empty={<NoConnections mayAdd={mayAdd} />} />
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
      <EmptyState title="No connection yet">
        <p>
          A connection is the address of a service and an API key for it, for example{' '}
          <code className="font-mono text-code text-ink">https://panel.example.org/api</code>.
        </p>
        {mayAdd ? null : <p>Your role is to look on. An owner or admin of the team can add one.</p>}
      </EmptyState>
    </Card>
  )
}
