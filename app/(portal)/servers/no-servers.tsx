import type { ReactNode } from 'react'
import { ButtonLink } from '../../_ui/button'
import { Card } from '../../_ui/card'
import { EmptyState } from '../../_ui/empty-state'
import { CreateSandboxButton } from './create-sandbox-button'

type NoServersProps = {
  mayAdd: boolean
  /** Whether they see only what others gave access to. */
  guest: boolean
  /** Who can add some or give access, for those who may not add any. */
  denied: ReactNode
  /** The connection whose service simulates servers; null if none does. */
  sandboxConnectionId: string | null
}

/** What a team without servers sees. */
export function NoServers({ mayAdd, guest, denied, sandboxConnectionId }: NoServersProps) {
  const actions =
    mayAdd && sandboxConnectionId ? (
      <>
        <ButtonLink href="/servers/new?provider=sandbox">Try with a sandbox server</ButtonLink>
        <CreateSandboxButton connectionId={sandboxConnectionId} />
      </>
    ) : null
  return (
    <Card>
      <EmptyState title={guest && !mayAdd ? 'No servers in your access' : 'No servers yet'} actions={actions}>
        {guest && !mayAdd ? null : sandboxConnectionId ? (
          <OwnServers mayAdd={mayAdd} />
        ) : (
          <p>Add a server to see its disk, memory and updates here.</p>
        )}
        {mayAdd ? null : denied}
      </EmptyState>
    </Card>
  )
}

const OwnServers = ({ mayAdd }: { mayAdd: boolean }) => (
  <>
    <p>Add a Debian server you can reach over SSH, follow its installation, and see its disk, memory and updates here.</p>
    {mayAdd ? (
      <p>
        You need its address and a login, for example <code className="font-mono text-code text-ink">root@203.0.113.24</code>. No server at
        hand? A sandbox server is simulated and touches nothing real.
      </p>
    ) : null}
  </>
)
