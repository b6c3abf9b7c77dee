import { PageBody, PageHead } from '../../_ui/page-head'
import { Sheet } from '../../_ui/sheet'
import { Skeleton } from '../../_ui/skeleton'

export default function Loading() {
  return (
    <>
      <PageHead title="Activity" />
      <PageBody>
        <Skeleton className="h-14 w-full" />
        <Sheet className="divide-y divide-line">
          {['a', 'b', 'c', 'd', 'e', 'f'].map((row) => (
            <div key={row} className="flex h-row items-center gap-6 px-4">
              <Skeleton className="h-4 w-16" />
              <Skeleton className="h-4 w-64" />
            </div>
          ))}
        </Sheet>
      </PageBody>
    </>
  )
}
