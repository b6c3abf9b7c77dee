import { redirect } from 'next/navigation'
import { Suspense } from 'react'
import { LastChanges } from '@/app/_shared/activity/last-changes'
import { Card, Section } from '@/app/_ui/section'
import { Skeleton, Waiting } from '@/app/_ui/skeleton'
import { apps } from '@/lib/contract/operations/apps'
import { backups } from '@/lib/contract/operations/backups'
import { sftp } from '@/lib/contract/operations/sftp'
import { sites } from '@/lib/contract/operations/sites'
import { users } from '@/lib/contract/operations/users'
import { findOffers } from '@/lib/portal/access/decide'
import { findNewestJob } from '@/lib/portal/jobs/view'
import { toReadableDomain } from '@/lib/text/idn'
import { findPageSite } from './find-page-site'
import { Overview } from './overview'
import { siteTabs, subjectPage } from './site-page'

/** The overview before the service has answered. */
export const OverviewSkeleton = ({ name }: { name: string }) => (
  <Section title="DNS">
    <Card className="divide-y divide-line">
      {['A', 'MX'].map((record) => (
        <div key={record} className="flex min-h-[52px] items-center gap-6 px-4">
          <Skeleton className="h-4 w-12" />
          <Skeleton className="h-4 w-40" />
        </div>
      ))}
    </Card>
    <Waiting description={`Reading ${toReadableDomain(name)}.`} />
  </Section>
)

const page = subjectPage({
  read: sites.summary,
  title: 'Overview',
  windowTitle: toReadableDomain,
  reading: (name) => `Reading ${toReadableDomain(name)}.`,
  needs: sites.delete,
  also: async (site) => {
    const { actor } = await findPageSite(site.id)
    const [job, here, onServer] = await Promise.all([
      findNewestJob(actor, { siteId: site.id }, sites.create),
      findOffers(actor, { siteId: site.id }),
      findOffers(actor, site.serverId === null ? {} : { serverId: site.serverId }),
    ])
    const seen = {
      app: here(apps.get),
      backups: here(backups.list),
      traffic: site.extensions && here(sites.traffic),
      ssl: here(sites.settings),
    }
    const changes = (
      <Suspense fallback={null}>
        <LastChanges objectId={site.id} />
      </Suspense>
    )
    return { site, job, seen, changes, mayUpload: onServer(users.save), seesKeys: here(sftp.list), mayChangeKeys: here(sftp.save) }
  },
  View: Overview,
  Skeleton: OverviewSkeleton,
})

export const generateMetadata = page.generateMetadata

type Props = { params: Promise<{ siteId: string }> }

/** Somebody who may not read the overview is led to the first page that they may read. */
export default async function SitePage(props: Props) {
  const { actor, subject: site } = await findPageSite((await props.params).siteId)
  const offers = await findOffers(actor, { siteId: site.id })
  const [first] = siteTabs(site, offers, false)
  if (first && !offers(sites.summary)) redirect(first.href)
  return page.Page(props)
}
