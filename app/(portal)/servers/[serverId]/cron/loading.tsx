import { PageBody, PageHead } from '../../../../_ui/page-head'
import { Skeleton } from '../../../../_ui/skeleton'
import { CronSkeleton } from './cron-skeleton'

export default function Loading() {
  return (
    <>
      <PageHead
        trail={[{ href: '/servers', name: 'Servers' }]}
        title={<Skeleton className="h-8 w-56" />}
        facts={<Skeleton className="h-5.5 w-72" />}
        tabs={<div className="h-9" />}
      />
      <PageBody>
        <CronSkeleton name="the server" />
      </PageBody>
    </>
  )
}
