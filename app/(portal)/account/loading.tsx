import { PageBody, PageHead } from '../../_ui/page-head'
import { Skeleton } from '../../_ui/skeleton'

export default function Loading() {
  return (
    <>
      <PageHead title="Account" />
      <PageBody>
        <Skeleton className="h-40 w-full" />
        <div className="grid gap-7 desktop:grid-cols-2">
          <Skeleton className="h-40" />
          <Skeleton className="h-56" />
        </div>
      </PageBody>
    </>
  )
}
