import { Section } from '../../../../_ui/section'
import { Sheet } from '../../../../_ui/sheet'
import { Skeleton, Waiting } from '../../../../_ui/skeleton'

/** The rows of the list, at the height they will have. */
export function UsersSkeleton({ name }: { name: string }) {
  return (
    <Section title="System users" aside={<Waiting says={`Reading the accounts of ${name}.`} />}>
      <Sheet className="divide-y divide-line">
        {['a', 'b', 'c'].map((row) => (
          <div key={row} className="flex h-[49px] items-center gap-8 px-4">
            <Skeleton className="h-3.5 w-32" />
            <Skeleton className="h-3.5 w-56 max-tablet:hidden" />
          </div>
        ))}
      </Sheet>
    </Section>
  )
}
