'use client'

import { useNewestJob } from '@/app/_shared/jobs/use-newest-job'
import { portalRead } from '@/app/_shared/reads/read-address'
import { NewPasswordNotice } from '@/app/_shared/sites/new-password-notice'
import { isPasswordOfUse, type NewSite as NewSiteOfTab, useNewSite } from '@/app/_shared/sites/new-sites'
import { NewestChange } from '@/app/_shared/sites/newest-change'
import { ButtonLink } from '@/app/_ui/button'
import { Notice } from '@/app/_ui/notice'
import type { JobView } from '@/lib/portal/jobs/view'
import type { SiteRow } from '@/lib/portal/subjects/sites/row'
import { toReadableDomain } from '@/lib/text/idn'

type NewSiteProps = { site: SiteRow; job: JobView | null }

/** The creation of the site: its password and its end in the tab that began it, and its progress for everybody. Not watched once it is over. */
export function NewSite({ site, job }: NewSiteProps) {
  const created = useNewSite({ siteId: site.id })
  if (created || job?.endedAt === null) return <Watched site={site} job={job} created={created} />
  return job ? <NewestChange job={job} /> : null
}

function Watched({ site: { id, domain }, job: rendered, created }: NewSiteProps & { created: NewSiteOfTab | null }) {
  const job = useNewestJob(portalRead('/api/jobs', { site: id, operation: 'sites.create' }), rendered)
  return (
    <>
      {created && isPasswordOfUse(job?.state ?? 'running') ? <NewPasswordNotice site={created} /> : null}
      {job ? <NewestChange job={job} /> : null}
      {created && job?.state === 'done' ? (
        <Notice
          tone="ok"
          title={`${toReadableDomain(domain)} was created.`}
          action={<ButtonLink href={`/jobs/${job.id}`}>View log</ButtonLink>}
        >
          Point the domain’s A record to the server, then upload its files.
        </Notice>
      ) : null}
    </>
  )
}
