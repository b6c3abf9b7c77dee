'use client'

import { useState } from 'react'
import type { SiteHost } from '@/lib/portal/subjects/sites/hosts'
import { portalRead } from '../../../_shared/read-address'
import { AddSiteForm, type SiteDraft } from './add-site-form'
import { Creation } from './creation'

type AddSiteProps = {
  hosts: readonly SiteHost[]
  /** From the address: a server or a domain that another page suggested, and a last backup of a deleted site, on that server. */
  given: { serverId: string; domain: string; backup: string }
}

/** The form, then the creation with the password that is shown only here. What was typed stays, to be corrected. */
export function AddSite({ hosts, given }: AddSiteProps) {
  const [draft, setDraft] = useState<SiteDraft | null>(null)
  const [jobId, setJobId] = useState<string | null>(null)
  const first = hosts.find(({ id }) => id === (draft?.serverId ?? given.serverId)) ?? hosts[0]
  if (draft && jobId !== null && first) {
    return <Creation jobId={jobId} draft={draft} extensions={first.extensions} onBack={() => setJobId(null)} />
  }
  return (
    <AddSiteForm
      hosts={hosts}
      backup={first?.id === given.serverId && first.extensions ? given.backup : ''}
      start={draft ?? { domain: given.domain, serverId: first?.id ?? '', password: null }}
      refetch={[portalRead('/api/jobs'), portalRead('/api/counts')]}
      onStarted={(started, id) => {
        setDraft(started)
        setJobId(id)
      }}
    />
  )
}
