import { Card, Section } from '@/app/_ui/section'
import { Skeleton, Waiting } from '@/app/_ui/skeleton'

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
