'use client'

import { useForeign } from '@/app/_shared/connections/foreign-service'
import type { SubjectViewProps } from '@/app/_shared/frame/subject-page'
import { ReadError } from '@/app/_shared/reads/read-error'
import { useOperation } from '@/app/_shared/reads/use-read'
import { NewestChange } from '@/app/_shared/sites/newest-change'
import { Notice } from '@/app/_ui/notice'
import type { Answer } from '@/lib/contract/operation'
import type { email } from '@/lib/contract/operations/email'
import type { JobView } from '@/lib/portal/jobs/view'
import type { SiteRow } from '@/lib/portal/subjects/sites/row'
import { toReadableDomain } from '@/lib/text/idn'
import { CheckAgain } from '../check-again'
import { Addresses } from './addresses'
import { EmailSwitch } from './email-switch'
import { MailProgram } from './mail-program'
import { MailRecords } from './mail-records'
import { useEmailSwitch } from './use-email-switch'

/** job: the newest that switched email. */
type Extra = { site: SiteRow; job: JobView | null }

/** Whether a site has email, its addresses, how they send, and the records of DNS that mail needs. */
export function EmailView({ id: siteId, name, first, may, extra }: SubjectViewProps<Answer<typeof email.get>, Extra>) {
  const read = useOperation('email.get', { siteId }, { first, everyMs: 60_000 })
  const item = read.data?.item[0]
  const elsewhere = item?.elsewhere ?? ''
  const { job, refusal, busy, toggle } = useEmailSwitch(siteId, extra?.job ?? null, elsewhere)
  const foreign = useForeign()
  if (!extra) return null
  const { site } = extra
  const changes = may && site.deletingJobId === null
  // A password works only under the certificate of the site. What a foreign service needs is unknown.
  const secure = foreign || site.ssl !== 'off'
  return (
    <>
      <ReadError read={read} nothingRead={`The email settings of ${toReadableDomain(name)} could not be read.`} />
      {refusal ? <Notice tone="danger" alert title={refusal.sentence} /> : null}
      {job ? <NewestChange job={job} /> : null}
      {item ? (
        <>
          <EmailSwitch
            busy={busy}
            elsewhere={elsewhere}
            domain={name}
            on={item.email}
            may={changes}
            onToggle={(wanted) => void toggle(wanted)}
          />
          <Addresses siteId={siteId} secure={secure} domain={name} on={item.email} listed={item.emails} may={changes} />
          {item.email && !foreign ? <MailProgram siteId={siteId} domain={name} secure={secure} /> : null}
          {item.records && item.records.length > 0 ? (
            <MailRecords records={item.records} provider={item.server.dns} aside={<CheckAgain read={read} />} />
          ) : null}
        </>
      ) : null}
    </>
  )
}
