import { clsx } from 'clsx'
import { Card, Section } from '@/app/_ui/section'
import { Skeleton, Waiting } from '@/app/_ui/skeleton'

/** The boxes of the summary, at their final heights. live: with the current usage. */
export function SummarySkeleton({ name, live }: { name: string; live: boolean }) {
  return (
    <>
      {live ? (
        <Card className="overflow-hidden">
          <div className="grid grid-cols-2 gap-px bg-line tablet:grid-cols-3 *:bg-surface">
            {['CPU', 'Load', 'Network'].map((figure) => (
              <Box key={figure} className="h-[104px]" />
            ))}
            {['Memory', 'Disk', 'Updates'].map((figure) => (
              <Box key={figure} />
            ))}
          </div>
        </Card>
      ) : (
        <Card className="flex divide-line max-tablet:flex-col max-tablet:divide-y tablet:divide-x">
          {['Disk', 'Memory', 'Updates'].map((figure) => (
            <Box key={figure} />
          ))}
        </Card>
      )}
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

const Box = ({ className }: { className?: string }) => (
  <div className={clsx('flex flex-1 flex-col gap-2 px-4 py-3.5', className)}>
    <Skeleton className="h-3.5 w-14" />
    <Skeleton className="h-6 w-32 max-w-full" />
    <Skeleton className="h-1.5 w-full" />
  </div>
)
