import { Card } from '../../_ui/card'
import { Section } from '../../_ui/section'
import { Skeleton, Waiting } from '../../_ui/skeleton'

/** A collection that is being read: its header and three rows. */
export function CollectionSkeleton({ title, waitsFor }: { title: string; waitsFor: string }) {
  return (
    <Section title={title} aside={<Waiting description={waitsFor} />}>
      <Card className="divide-y divide-line">
        {['a', 'b', 'c'].map((row) => (
          <div key={row} className="flex h-row items-center gap-8 px-4">
            <Skeleton className="h-3.5 w-64" />
            <Skeleton className="h-3.5 w-24 max-tablet:hidden" />
          </div>
        ))}
      </Card>
    </Section>
  )
}
