'use client'

import { useRouter } from 'next/navigation'
import { useEffect } from 'react'
import { portalRead } from '@/app/_shared/reads/read-address'
import { useRead } from '@/app/_shared/reads/use-read'
import { NewPasswordNotice } from '@/app/_shared/sites/new-password-notice'
import { isPasswordOfUse, nameNewSite, useNewSite } from '@/app/_shared/sites/new-sites'
import { SiteJob, type SiteJobKind, type SiteJobProps } from '@/app/_shared/sites/site-job'

const soonMs = 1_500
const laterMs = 15_000

/** The creation of a site, live. In the tab that began it, the site's own page takes its place as soon as there is one. */
export function CreationJob(props: SiteJobProps & { kind: SiteJobKind }) {
  const { id: jobId } = props.job
  const router = useRouter()
  const created = useNewSite({ jobId })
  const { data } = useRead(portalRead('/api/jobs/[jobId]', { jobId }), {
    everyMs: (read) => (created && read?.job.state === 'running' ? soonMs : laterMs),
  })
  const siteId = data?.job.siteId ?? null
  const follows = created !== null && created.siteId === null
  useEffect(() => {
    if (!follows || siteId === null) return
    nameNewSite(jobId, siteId)
    router.replace(`/sites/${siteId}`)
  }, [follows, siteId, jobId, router])
  return (
    <>
      {created && isPasswordOfUse(data?.job.state ?? props.job.state) ? <NewPasswordNotice site={created} /> : null}
      <SiteJob {...props} />
    </>
  )
}
