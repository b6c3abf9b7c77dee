import { Card, Section } from '@/app/_ui/section'
import { PageBody, PageHead } from '../../_ui/page-head'
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

/** A list over all connections before the first read, which takes as long as the services do. */
export function ListSkeleton({ title }: { title: string }) {
  return (
    <>
      <PageHead wide title={title} />
      <PageBody wide>
        <div className="flex flex-col gap-3">
          <Skeleton className="h-8 w-80 max-w-full" />
          <Card className="divide-y divide-line">
            {['a', 'b', 'c', 'd', 'e', 'f'].map((row) => (
              <div key={row} className="flex h-row items-center gap-6 px-4">
                <Skeleton className="h-5 w-24" />
                <Skeleton className="h-4 w-40" />
                <Skeleton className="h-4 w-56 max-tablet:hidden" />
              </div>
            ))}
          </Card>
          <Waiting description={`Loading ${title.toLowerCase()}.`} />
        </div>
      </PageBody>
    </>
  )
}
