import { PageBody, PageHead } from '../../../_ui/page-head'
import { Skeleton } from '../../../_ui/skeleton'

export default function Loading() {
  return (
    <>
      <PageHead trail={[{ href: '/keys', name: 'Keys' }]} title="Add connection" />
      <PageBody>
        <div className="flex max-w-[640px] flex-col gap-6">
          <Skeleton className="h-32 w-full" />
          <Skeleton className="h-16 w-full" />
          <Skeleton className="h-16 w-full" />
        </div>
      </PageBody>
    </>
  )
}
