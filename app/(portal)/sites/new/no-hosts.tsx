import { ButtonLink } from '@/app/_ui/button'
import { Card } from '@/app/_ui/card'
import { EmptyState } from '@/app/_ui/empty-state'

/** A site needs a server, and that has to be installed. mayAdd: whether they can add one. */
export const NoHosts = ({ mayAdd }: { mayAdd: boolean }) => (
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
