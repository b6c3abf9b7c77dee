import { PageBody, PageHead } from '../../_ui/page-head'
import { Sheet } from '../../_ui/sheet'
import { Skeleton } from '../../_ui/skeleton'

export default function Loading() {
  return (
    <>
      <PageHead title="Keys" />
      <PageBody>
        <Sheet className="divide-y divide-line">
          {['a', 'b'].map((row) => (
            <div key={row} className="flex h-14 items-center gap-6 px-4">
              <Skeleton className="h-5 w-20" />
              <Skeleton className="h-4 w-56" />
            </div>
          ))}
        </Sheet>
      </PageBody>
    </>
  )
}
