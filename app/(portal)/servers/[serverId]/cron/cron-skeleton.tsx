import { Section } from '../../../../_ui/section'
import { Sheet } from '../../../../_ui/sheet'
import { Skeleton, Waiting } from '../../../../_ui/skeleton'

/** The rows of the list, at the height they will have. */
export function CronSkeleton({ name }: { name: string }) {
  return (
    <Section title="Cron jobs" aside={<Waiting says={`Reading the crontabs of ${name}.`} />}>
      <Sheet className="divide-y divide-line">
        {['a', 'b', 'c'].map((row) => (
          <div key={row} className="flex h-[61px] items-center gap-8 px-4">
            <Skeleton className="h-3.5 w-44" />
            <Skeleton className="h-3.5 w-64 max-tablet:hidden" />
          </div>
        ))}
      </Sheet>
    </Section>
  )
}
