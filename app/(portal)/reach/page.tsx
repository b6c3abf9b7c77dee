import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import type { Problem } from '@/lib/contract/problem'
import { mayManage, roleNames, roles } from '@/lib/portal/access/roles'
import { type Person, requireActor } from '@/lib/portal/identity/actor'
import { listLabelNames } from '@/lib/portal/subjects/labels/labels'
import { listHolders } from '@/lib/portal/subjects/team/access/list'
import type { ReachFilter } from '@/lib/portal/views/reach/filter'
import { type ReachLine, unusedDays } from '@/lib/portal/views/reach/lines'
import { openReach } from '@/lib/portal/views/reach/open'
import type { ReachSubject } from '@/lib/portal/views/reach/subject'
import { type WhatIf as Change, changeQuery } from '@/lib/portal/views/reach/what-if'
import { Choice, countSet, Labelled } from '../../_shared/forms/filter-fields'
import { FilterForm } from '../../_shared/forms/filter-form'
import { Button, ButtonAnchor, ButtonLink } from '../../_ui/button'
import { Input } from '../../_ui/input'
import { Notice } from '../../_ui/notice'
import { PageBody, PageHead } from '../../_ui/page-head'
import { Section } from '../../_ui/section'
import { ReachTable } from './reach-table'
import { toReachRow } from './row'
import { HiddenFields, WhatIfForm } from './what-if-form'

type ChangeNoticeProps = {
  whatIf: Change | null
  refused: Problem | null
  lines: readonly ReachLine[]
  /** The table as it is now. */
  back: string
}

/** What the table tells of: a change that is not saved, and how many rows end and begin with it. */
export function ChangeNotice({ whatIf, refused, lines, back }: ChangeNoticeProps) {
  const action = <ButtonLink href={back}>Show as it is now</ButtonLink>
  if (refused) {
    const reasons = Object.values(refused.fields ?? {})
    return <Notice tone="warn" title={reasons.length > 0 ? reasons.join(' ') : refused.sentence} action={action} />
  }
  if (!whatIf) return null
  const count = (difference: ReachLine['difference']) => lines.filter((line) => line.difference === difference).length
  const changed = lines.filter(({ difference }) => difference !== 'same')
  const idle = changed.filter((line) => line.idle).length
  return (
    <Notice tone="info" title={`${whatIf.sentence}: nothing is saved yet.`} action={action}>
      {changed.length === 0
        ? 'No row would change.'
        : `Rows that would end: ${count('lost')}. Rows that would begin: ${count('gained')}.${idle > 0 ? ` Of these change nothing, because other access gives the same: ${idle}.` : ''}`}
    </Notice>
  )
}

export const metadata: Metadata = { title: 'Reach' }

type Search = { searchParams: Promise<Record<string, string | string[] | undefined>> }

/** Who can do what with a server, a site or a connection, or what one member can do. lib/portal/views/reach says who may see it. */
export default async function ReachPage({ searchParams }: Search) {
  const [actor, query] = [await requireActor(), await searchParams]
  const reach = await openReach(actor, query)
  if (!reach) notFound()
  const { subject, filter, whatIf, refused, all, lines } = reach
  const change = changeQuery(query)
  const subjectQuery = { of: subject.kind, id: subject.id }
  const narrowed = filter.text !== '' || filter.unused
  const none = narrowed ? 'No row matches this filter.' : noneOf(subject)
  const address = new URLSearchParams({ ...subjectQuery, ...change, text: filter.text, use: filter.unused ? 'unused' : '' })
  return (
    <>
      <PageHead
        trail={trailOf(subject)}
        title={subject.kind === 'member' ? `Reach of ${subject.name}` : `Who can reach ${subject.name}`}
        facts={subject.kind === 'member' && lines[0] ? <p className="text-muted">{roleNames[lines[0].role]}</p> : null}
        actions={
          <ButtonAnchor href={`/api/reach/csv?${address}`} download>
            Download CSV
          </ButtonAnchor>
        }
      />
      <PageBody>
        <p className="-mt-2 max-w-[72ch] text-muted">
          What Gatehouse allows now, by role, access and connection together. Most reads are recorded only if they go through a lent
          connection, so they do not count as uses otherwise.
        </p>
        <WhatIf actor={actor} subject={subject} lines={all} change={change} filter={filter} />
        <ChangeNotice whatIf={whatIf} refused={refused} lines={all} back={`/reach?${new URLSearchParams(subjectQuery)}`} />
        {all.length === 0 && !narrowed ? null : (
          <ReachFilterForm
            key={String(address)}
            kept={{ ...subjectQuery, ...change }}
            filter={filter}
            narrowed={narrowed}
            days={unusedDays}
          />
        )}
        <Section title="Reach" count={lines.length}>
          <ReachTable
            rows={lines.map(toReachRow)}
            compared={whatIf !== null}
            ofMember={subject.kind === 'member'}
            none={none}
            days={unusedDays}
          />
        </Section>
      </PageBody>
    </>
  )
}

const noneOf = ({ kind, name }: ReachSubject): string =>
  `${kind === 'member' ? `${name} cannot do anything on any server or site.` : `Nobody can do anything with ${name}.`} That needs access, and a connection that works.`

function trailOf({ kind, id, name }: ReachSubject): { href: string; name: string }[] {
  if (kind === 'member') return [{ href: `/team/${id}/access`, name: 'Access' }]
  if (kind === 'connection') return [{ href: '/keys', name: 'Connections' }]
  const base = kind === 'server' ? '/servers' : '/sites'
  return [
    { href: base, name: kind === 'server' ? 'Servers' : 'Sites' },
    { href: `${base}/${id}/access`, name },
  ]
}

/** kept: the members of the query that stay, such as the subject. */
type ReachFilterFormProps = { kept: Readonly<Record<string, string>>; filter: ReachFilter; narrowed: boolean; days: number }

/** Works without scripts. */
function ReachFilterForm({ kept, filter: { text, unused }, narrowed, days }: ReachFilterFormProps) {
  return (
    <FilterForm action="/reach" label="Filter the table" active={countSet({ text, unused: unused ? true : null })}>
      <HiddenFields values={kept} />
      <Labelled label="Text" className="w-64 max-tablet:basis-full">
        {(field) => (
          <Input id={field} name="text" type="search" defaultValue={text} maxLength={200} placeholder="Member, server, site, work" />
        )}
      </Labelled>
      <Choice name="use" label="Use" value={unused ? 'unused' : null} all="All">
        <option value="unused">Unused for {days} days</option>
      </Choice>
      <Button type="submit">Filter</Button>
      {narrowed ? (
        <ButtonLink href={`/reach?${new URLSearchParams(kept)}`} variant="ghost">
          Clear
        </ButtonLink>
      ) : null}
    </FilterForm>
  )
}

type WhatIfProps = {
  actor: Person
  subject: ReachSubject
  lines: readonly ReachLine[]
  change: Readonly<Record<string, string>>
  filter: ReachFilter
}

/** The changes that the reader could make, to see what they would do. */
async function WhatIf({ actor, subject, lines, change, filter }: WhatIfProps) {
  const members = await listHolders(actor)
  if (members.length === 0) return null
  const [first, others] = [members.filter(({ id }) => id === subject.id), members.filter(({ id }) => id !== subject.id)]
  const ordered = [...first, ...others]
  const choices = ordered.map(({ id, name, role }) => ({ id, name: `${name}, ${roleNames[role]}` }))
  const given = lines.filter(({ difference, role }) => difference !== 'gained' && mayManage(actor.role, role))
  const grants = new Map(given.map(({ grantId, who, what, access }) => [grantId, `${who}: ${what}. ${access}`]))
  const { kind, id, name } = subject
  return (
    <WhatIfForm
      key={String(new URLSearchParams(change))}
      kept={{ of: kind, id, text: filter.text, use: filter.unused ? 'unused' : '' }}
      start={change}
      members={choices}
      roles={roles.filter((role) => mayManage(actor.role, role)).map((role) => ({ id: role, name: roleNames[role] }))}
      grants={[...grants].map(([id, name]) => ({ id, name }))}
      labels={await listLabelNames(actor)}
      place={kind === 'server' || kind === 'site' ? { kind, id, name } : undefined}
    />
  )
}
