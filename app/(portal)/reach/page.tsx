import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { roleNames } from '@/lib/portal/access/roles'
import { requireActor } from '@/lib/portal/identity/actor'
import { unusedDays } from '@/lib/portal/views/reach/lines'
import { openReach } from '@/lib/portal/views/reach/open'
import type { ReachSubject } from '@/lib/portal/views/reach/subject'
import { changeQuery } from '@/lib/portal/views/reach/what-if'
import { ButtonAnchor } from '../../_ui/button'
import { PageBody, PageHead } from '../../_ui/page-head'
import { Section } from '../../_ui/section'
import { ChangeNotice } from './change-notice'
import { ReachFilterForm } from './filter-form'
import { ReachTable } from './reach-table'
import { toReachRow } from './row'
import { WhatIf } from './what-if'

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
