import { Card, Section } from '@/app/_ui/section'
import { Skeleton, Waiting } from '@/app/_ui/skeleton'
import { firewall } from '@/lib/contract/operations/firewall'
import { findPageServer, readSummary } from '../find-page-server'
import { subjectPage } from '../server-page'
import { FirewallView } from './firewall-view'

/** The switch and the rows of the list, at their final height. */
export function FirewallSkeleton({ name }: { name: string }) {
  return (
    <Section title="Firewall" aside={<Waiting description={`Reading the firewall of ${name}.`} />}>
      <Card className="divide-y divide-line">
        <div className="flex h-[77px] items-center gap-4 px-4">
          <Skeleton className="h-6 w-11" />
          <Skeleton className="h-3.5 w-72" />
        </div>
        {['a', 'b', 'c'].map((row) => (
          <div key={row} className="flex h-[53px] items-center gap-8 px-4">
            <Skeleton className="h-3.5 w-64" />
            <Skeleton className="h-3.5 w-24 max-tablet:hidden" />
          </div>
        ))}
      </Card>
    </Section>
  )
}

const page = subjectPage({
  read: firewall.get,
  title: 'Firewall',
  windowTitle: (name) => `Firewall of ${name}`,
  reading: (name) => `Reading the firewall of ${name}.`,
  needs: firewall.saveRule,
  also: readWayIn,
  View: FirewallView,
  Skeleton: FirewallSkeleton,
})

export const generateMetadata = page.generateMetadata
export default page.Page

/** The port that the service itself connects to, and whether it reverts a change that cuts it off. */
async function readWayIn({ id }: { id: string }): Promise<{ sshPort: number; undoes: boolean }> {
  const [{ server }, summary] = await Promise.all([findPageServer(id), readSummary(id)])
  return { sshPort: summary.ok ? Number(summary.data.item[0].port) || 22 : 22, undoes: server.extensions }
}
