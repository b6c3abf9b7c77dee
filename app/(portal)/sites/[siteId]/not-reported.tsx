import { EmptyState } from '@/app/_ui/empty-state'
import { Card, Section } from '@/app/_ui/section'

/** what: of which a service without extensions knows nothing. Only an old link leads to such a page. */
export const NotReported = ({ title, what }: { title: string; what: string }) => (
  <Section title={title}>
    <Card>
      <EmptyState title={`No ${what}`}>
        <p>The service of this site does not report {what}.</p>
      </EmptyState>
    </Card>
  </Section>
)
