import type { ReactNode } from 'react'
import { Card } from '@/app/_ui/card'
import { CopyButton } from '@/app/_ui/copy-button'
import { Section } from '@/app/_ui/section'
import { StateChip } from '@/app/_ui/state-chip'
import type { Answer } from '@/lib/contract/operation'
import type { email } from '@/lib/contract/operations/email'

type MailRecord = NonNullable<Answer<typeof email.get>['item'][0]['records']>[number]

/** provider: who serves the DNS, as it was noted; may be empty. */
type MailRecordsProps = { records: readonly MailRecord[]; provider: string; aside: ReactNode }

/** The records of DNS that mail needs: what is there, and what should be, to be copied. */
export const MailRecords = ({ records, provider, aside }: MailRecordsProps) => (
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
