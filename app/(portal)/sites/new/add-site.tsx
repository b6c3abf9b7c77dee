'use client'

import { useRouter } from 'next/navigation'
import { portalRead } from '@/app/_shared/reads/read-address'
import { keepNewSite } from '@/app/_shared/sites/new-sites'
import type { SiteHost } from '@/lib/portal/subjects/sites/hosts'
import { AddSiteForm } from './add-site-form'

type AddSiteProps = {
  hosts: readonly SiteHost[]
  /** From the address: a server or a domain that another page suggested, and a last backup of a deleted site, on that server. */
  given: { serverId: string; domain: string; backup: string }
}

/** The form. Then the page of the creation takes its place, and soon that of the site, so that Back does not return to an empty form. */
export function AddSite({ hosts, given }: AddSiteProps) {
  const router = useRouter()
  const first = hosts.find(({ id }) => id === given.serverId) ?? hosts[0]
  return (
    <AddSiteForm
      hosts={hosts}
      backup={first?.id === given.serverId && first.extensions ? given.backup : ''}
      start={{ domain: given.domain, serverId: first?.id ?? '', password: null }}
      refetch={[portalRead('/api/jobs'), portalRead('/api/counts')]}
      onStarted={({ domain, password }, jobId) => {
        keepNewSite(jobId, domain, password)
        router.replace(`/jobs/${jobId}`)
      }}
    />
  )
}
