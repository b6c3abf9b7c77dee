import { Section } from '../../../_ui/section'
import { Sheet } from '../../../_ui/sheet'
import { Skeleton, Waiting } from '../../../_ui/skeleton'

/** The rows of a list that is being read, at the height they will have. */
export function RowsSkeleton({ title, says }: { title: string; says: string }) {
  return (
    <Section title={title} aside={<Waiting says={says} />}>
      <Sheet className="divide-y divide-line">
        {['a', 'b', 'c'].map((row) => (
          <div key={row} className="flex h-10 items-center gap-8 px-4">
            <Skeleton className="h-3.5 w-64" />
            <Skeleton className="h-3.5 w-24 max-tablet:hidden" />
          </div>
        ))}
      </Sheet>
    </Section>
  )
}
