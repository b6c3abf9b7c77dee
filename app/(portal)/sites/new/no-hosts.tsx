import { ButtonLink } from '../../../_ui/button'
import { Card } from '../../../_ui/card'
import { EmptyState } from '../../../_ui/empty-state'

/** A site needs a server, and that has to be installed. */
export const NoHosts = () => (
  <Card>
    <EmptyState
      title="No server is ready for a site"
      actions={
        <>
          <ButtonLink href="/servers" variant="primary">
            View servers
          </ButtonLink>
          <ButtonLink href="/servers/new">Add server</ButtonLink>
        </>
      }
    >
      <p>A site runs on an installed server. Add a server, or install one that you have added.</p>
    </EmptyState>
  </Card>
)
