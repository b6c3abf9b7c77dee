'use client'

import type { ReactNode } from 'react'
import { useForeign } from '@/app/_shared/connections/foreign-service'
import type { SubjectViewProps } from '@/app/_shared/frame/subject-page'
import { ReadError } from '@/app/_shared/reads/read-error'
import { useOperation } from '@/app/_shared/reads/use-read'
import { NewestChange } from '@/app/_shared/sites/newest-change'
import { CopyButton } from '@/app/_ui/copy-button'
import { Notice } from '@/app/_ui/notice'
import { Card, Section } from '@/app/_ui/section'
import { StateChip } from '@/app/_ui/state-chip'
import type { Answer } from '@/lib/contract/operation'
import type { email } from '@/lib/contract/operations/email'
import type { JobView } from '@/lib/portal/jobs/view'
import type { SiteRow } from '@/lib/portal/subjects/sites/row'
import { toReadableDomain } from '@/lib/text/idn'
import { CheckAgain } from '../dns-records'
import { Addresses } from './addresses'
import { EmailSwitch, useEmailSwitch } from './email-switch'
import { MailProgram } from './mail-program'

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

type MailRecord = NonNullable<Answer<typeof email.get>['item'][0]['records']>[number]

/** provider: who serves the DNS, as it was noted; may be empty. */
type MailRecordsProps = { records: readonly MailRecord[]; provider: string; aside: ReactNode }

/** The records of DNS that mail needs: what is there, and what should be, to be copied. */
const MailRecords = ({ records, provider, aside }: MailRecordsProps) => (
  <Section title="DNS records for mail" aside={aside}>
    {provider === '' ? null : <p className="text-muted wrap-anywhere">DNS provider: {provider}</p>}
    <Card>
      <dl className="divide-y divide-line">
        {records.map((record) => (
          <RecordLine key={`${record.type} ${record.name} ${record.expected}`} record={record} />
        ))}
      </dl>
    </Card>
  </Section>
)

const chips = {
  ready: { tone: 'ok', label: 'Ready' },
  missing: { tone: 'warn', label: 'Not set' },
  different: { tone: 'warn', label: 'Differs' },
} as const

function RecordLine({ record: { type, name, expected, found, state, reason } }: { record: MailRecord }) {
  return (
    <div className="flex items-start gap-x-4 px-4 py-2.5 max-tablet:flex-col max-tablet:gap-y-1.5">
      <dt className="flex w-[114px] shrink-0 flex-wrap items-center gap-x-2 gap-y-1 font-semibold max-tablet:w-auto">
        {type} <StateChip {...chips[state]} />
      </dt>
      <dd className="flex w-full min-w-0 flex-1 flex-col gap-1.5">
        <Value label="Name" value={name} copies={`the name of the ${type} record`} />
        {expected === '' ? null : <Value label="Expected" value={expected} copies={`the ${type} record`} />}
        {found === '' || found === expected ? null : <Value label="Found" value={found} />}
        {reason === '' ? null : <p className="text-small text-muted wrap-anywhere">{reason}</p>}
      </dd>
    </div>
  )
}

function Value({ label, value, copies }: { label: string; value: string; copies?: string }) {
  if (value === '') return null
  return (
    <span className="flex min-w-0 flex-col">
      <span className="text-small text-muted">{label}</span>
      <span className="flex min-w-0 items-start gap-1">
        <span className="min-w-0 font-mono text-code break-all">{value}</span>
        {copies === undefined ? null : <CopyButton value={value} what={copies} className="-my-1" />}
      </span>
    </span>
  )
}
