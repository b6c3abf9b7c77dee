import { Card } from '@/app/_ui/card'
import { Section } from '@/app/_ui/section'
import { Skeleton, Waiting } from '@/app/_ui/skeleton'

/** The boxes of the summary, at their final heights. */
export function SummarySkeleton({ name }: { name: string }) {
  return (
    <>
      <Card className="flex divide-line max-tablet:flex-col max-tablet:divide-y tablet:divide-x">
        {['disk', 'memory', 'updates'].map((figure) => (
          <div key={figure} className="flex flex-1 flex-col gap-2 px-4 py-3.5">
            <Skeleton className="h-3.5 w-14" />
            <Skeleton className="h-6 w-32" />
            <Skeleton className="h-1.5 w-full" />
          </div>
        ))}
      </Card>
      <Section title="System" aside={<Waiting description={`Checking ${name}.`} />}>
        <Card className="divide-y divide-line">
          {['a', 'b', 'c', 'd', 'e', 'f'].map((row) => (
            <div key={row} className="flex h-[35px] items-center gap-8 px-4">
              <Skeleton className="h-3.5 w-20" />
              <Skeleton className="h-3.5 w-48" />
            </div>
          ))}
        </Card>
      </Section>
    </>
  )
}
