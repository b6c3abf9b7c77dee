'use client'

import { useEffect, useState } from 'react'
import { useForeign } from '@/app/_shared/connections/foreign-service'
import type { ReadState } from '@/app/_shared/reads/use-read'
import { Button } from '@/app/_ui/button'
import { CopyButton } from '@/app/_ui/copy-button'
import { Card, Section } from '@/app/_ui/section'
import { StateChip } from '@/app/_ui/state-chip'
import type { Answer } from '@/lib/contract/operation'
import type { sites } from '@/lib/contract/operations/sites'
import type { SiteRow } from '@/lib/portal/subjects/sites/row'

type Records = { A: string; MX: string }

/** result null: nothing is expected. */
export type DnsRecord = { type: keyof Records; found: string; expected: string; result: 'match' | 'differ' | 'missing' | null }

const normal = (value: string): string => value.trim().toLowerCase().replace(/\.$/, '')

/** Several values may stand in one text: the expected one has to be among them. A priority before a mail server does not count. */
const valuesOf = (text: string): string[] =>
  text
    .split(/[\s,]+/)
    .map(normal)
    .filter(Boolean)

function judge(found: string, expected: string): DnsRecord['result'] {
  if (normal(expected) === '') return null
  if (normal(found) === '') return 'missing'
  return valuesOf(expected).some((value) => !/^\d+$/.test(value) && valuesOf(found).includes(value)) ? 'match' : 'differ'
}

/** The record MX as the service judged it: it knows the addresses of mail servers, and a server may have several names. */
type JudgedRecord = { type: string; expected: string; found: string; state: 'ready' | 'missing' | 'different' }

const resultOf = { ready: 'match', missing: 'missing', different: 'differ' } as const

/** What a resolver found for a domain against what its server expects. A judgement of the service counts more than the comparison of texts. */
export const compareRecords = (found: Records, expected: Records, judged: readonly JudgedRecord[] = []): DnsRecord[] =>
  (['A', 'MX'] as const).map((type) => {
    const record = judged.find((one) => one.type === type)
    if (record) return { type, found: record.found, expected: record.expected, result: resultOf[record.state] }
    return { type, found: found[type], expected: expected[type], result: judge(found[type], expected[type]) }
  })

/** What a record without a value shows. item: what the service reported; until then the list is all there is, and it may leave records out. */
export const wordForNone = (item: object | undefined): string => (item === undefined ? 'Not known' : 'Nothing')

/** A foreign service that names no record at all may not look them up, so that nothing is known of what DNS says. */
export const tellsRecords = ({ A, MX }: Records, foreign: boolean): boolean => !foreign || normal(A) !== '' || normal(MX) !== ''

/** The record that makes a name lead to the site’s server, to be copied. Nothing if the service does not report an address. */
export function ExpectedRecord({ address, noun }: { address: string; noun: 'alias' | 'name' }) {
  if (address === '') return null
  return (
    <p className="flex flex-wrap items-center gap-x-1.5 text-muted">
      Point each {noun} to this address with {address.includes(':') ? 'an AAAA' : 'an A'} record:
      <span className="inline-flex items-center gap-1">
        <code className="font-mono text-code text-ink">{address}</code>
        <CopyButton value={address} what={address.includes(':') ? 'the AAAA record' : 'the A record'} className="-my-1" />
      </span>
    </p>
  )
}

const pointsChips = {
  match: { tone: 'ok', label: 'Matches' },
  differ: { tone: 'warn', label: 'Points elsewhere' },
  missing: { tone: 'warn', label: 'Not found' },
} as const

/** Whether a name leads there. Nothing if it is unknown where it should lead. */
export const PointsChip = ({ result }: { result: DnsRecord['result'] }) => (result === null ? null : <StateChip {...pointsChips[result]} />)

/** Repeats the read. Not disabled meanwhile, because that would lose the focus; reads that nobody asked for leave it as it is. */
export function CheckAgain({ read: { reading, again } }: { read: ReadState<unknown> }) {
  const [asked, setAsked] = useState(false)
  useEffect(() => {
    if (!reading) setAsked(false)
  }, [reading])
  return (
    <Button
      onClick={() => {
        setAsked(true)
        again()
      }}
    >
      {asked ? 'Checking…' : 'Check again'}
    </Button>
  )
}

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
