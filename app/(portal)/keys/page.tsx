import { Plus } from 'lucide-react'
import type { Metadata } from 'next'
import { Card, Section } from '@/app/_ui/section'
import { mayKeep } from '@/lib/portal/access/roles'
import { requireActor } from '@/lib/portal/identity/actor'
import { listConnections } from '@/lib/portal/subjects/connections/list'
import { type BorrowedView, listBorrowed } from '@/lib/portal/subjects/lending/view'
import { formatAccess } from '@/lib/text/access'
import { AccessSentence } from '../../_shared/access/access-sentence'
import { ButtonLink } from '../../_ui/button'
import { EmptyState } from '../../_ui/empty-state'
import { PageBody, PageHead } from '../../_ui/page-head'
import { RelativeTime } from '../../_ui/relative-time'
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

/** The connections that others lend to the user: whose, for what and until when. */
function Borrowed({ connections }: { connections: readonly BorrowedView[] }) {
  if (connections.length === 0) return null
  return (
    <Section title="Lent to you">
      <Card className="flex flex-col gap-3 px-4 py-3">
        {connections.map(({ id, label, ownerName, frozen, loans }) => (
          <div key={id} className="wrap-anywhere">
            <span className="font-semibold">{label}</span> <span className="text-muted">of {ownerName}</span>
            {frozen ? <span className="text-warn"> Frozen</span> : null}
            {loans.map(({ scopes, until, ...given }) => (
              <span key={`${formatAccess(given, scopes)} ${until}`} className="block">
                <AccessSentence start="To" given={given} scopes={scopes} />
                {until === null ? null : (
                  <span className="text-muted">
                    , ends <RelativeTime at={until} />
                  </span>
                )}
              </span>
            ))}
          </div>
        ))}
      </Card>
    </Section>
  )
}
