import { useForeign } from '@/app/_shared/connections/foreign-service'
import { CopyButton } from '@/app/_ui/copy-button'
import { Card, Section } from '@/app/_ui/section'
import { StateChip } from '@/app/_ui/state-chip'
import type { Answer } from '@/lib/contract/operation'
import type { sites } from '@/lib/contract/operations/sites'
import type { SiteRow } from '@/lib/portal/subjects/sites/row'
import { compareRecords, type DnsRecord, tellsRecords, wordForNone } from './compare-records'

type DnsRecordsProps = { item: Answer<typeof sites.summary>['item'][number] | undefined; site: SiteRow }

/** What the domain resolves to, and what it should: the expected values are there to be copied. */
export function DnsRecords({ item, site }: DnsRecordsProps) {
  const found = item?.dns ?? { A: site.address, MX: site.mx }
  const told = tellsRecords(found, useForeign())
  const expected = { A: item?.expected?.A || item?.server.ip || '', MX: item?.expected?.MX ?? '' }
  return (
    <Section title="DNS" anchor="dns">
      <Card>
        <dl className="divide-y divide-line">
          {compareRecords(found, expected, item?.records).map((record) => (
            <RecordLine
              key={record.type}
              record={told ? record : { ...record, result: null }}
              none={wordForNone(told ? item : undefined)}
            />
          ))}
        </dl>
      </Card>
    </Section>
  )
}

const chips = {
  match: { tone: 'ok', label: 'Matches' },
  differ: { tone: 'warn', label: 'Differs' },
  missing: { tone: 'warn', label: 'Not set' },
} as const

function RecordLine({ record: { type, found, expected, result }, none }: { record: DnsRecord; none: string }) {
  return (
    <div className="flex min-h-[52px] items-center gap-x-4 px-4 py-2 max-tablet:items-start max-tablet:gap-x-3">
      <dt className="w-[114px] shrink-0 font-semibold max-tablet:w-10">{type}</dt>
      <dd className="flex min-w-0 flex-1 flex-wrap items-center gap-x-8 gap-y-1">
        <Value label="Found" value={found} none={none} />
        {expected === '' ? null : <Value label="Expected" value={expected} copies={`the ${type} record`} />}
        {result === null ? null : (
          <span className="ml-auto max-tablet:ml-0 max-tablet:basis-full">
            <StateChip {...chips[result]} />
          </span>
        )}
      </dd>
    </div>
  )
}

function Value({ label, value, none, copies }: { label: string; value: string; none?: string; copies?: string }) {
  return (
    <span className="flex min-w-0 flex-col tablet:min-w-[180px]">
      <span className="text-small text-muted">{label}</span>
      <span className="flex min-w-0 items-center gap-1">
        {value === '' ? <span className="text-muted">{none}</span> : <span className="min-w-0 font-mono text-code break-all">{value}</span>}
        {copies === undefined ? null : <CopyButton value={value} what={copies} className="-my-1.5" />}
      </span>
    </span>
  )
}
