import { Card, Section } from '@/app/_ui/section'
import { Skeleton, Waiting } from '@/app/_ui/skeleton'
import { toReadableDomain } from '@/lib/text/idn'

/** The overview before the service has answered. */
export const OverviewSkeleton = ({ name }: { name: string }) => (
  <Section title="DNS">
    <Card className="divide-y divide-line">
      {['A', 'MX'].map((record) => (
        <div key={record} className="flex min-h-[52px] items-center gap-6 px-4">
          <Skeleton className="h-4 w-12" />
          <Skeleton className="h-4 w-40" />
        </div>
      ))}
    </Card>
    <Waiting description={`Reading ${toReadableDomain(name)}.`} />
  </Section>
)
