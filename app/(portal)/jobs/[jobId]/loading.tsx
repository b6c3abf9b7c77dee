import { PageBody, PageHead } from '../../../_ui/page-head'
import { Skeleton } from '../../../_ui/skeleton'

export default function Loading() {
  return (
    <>
      <PageHead trail={[{ href: '/jobs', name: 'Jobs' }]} title={<Skeleton className="h-8 w-64" />} />
      <PageBody>
        <Skeleton className="h-20 w-full" />
        <Skeleton className="h-80 w-full" />
      </PageBody>
    </>
  )
}
