import type { Metadata } from 'next'
import { cookies } from 'next/headers'
import { Card } from '@/app/_ui/section'
import { may } from '@/lib/portal/access/roles'
import { type ChainState, watchChain } from '@/lib/portal/audit/chain-watch'
import { requireActor } from '@/lib/portal/identity/actor'
import { zoneFor } from '@/lib/portal/identity/shown-preferences'
import { needsSecondPerson } from '@/lib/portal/spine/held/rule'
import { type ListedPerson, listPeople } from '@/lib/portal/subjects/team/people'
import { readActivity } from '@/lib/portal/views/activity/activity'
import { type ActivityFilter, readFilter, writeFilter } from '@/lib/portal/views/activity/filter'
import { findNarrowed, type Narrowed } from '@/lib/portal/views/activity/narrowed'
import { kinds, results } from '@/lib/portal/views/activity/words'
import { Choice, countSet, Days, Labelled, NamedChoice, namedPeople, optionsOf } from '../../_shared/forms/filter-fields'
import { FilterForm } from '../../_shared/forms/filter-form'
import { zoneCookie } from '../../_shared/preferences/zone-cookie'
import { Button, ButtonLink } from '../../_ui/button'
import { formatCount } from '../../_ui/count'
import { EmptyState } from '../../_ui/empty-state'
import { Input } from '../../_ui/input'
import { Notice } from '../../_ui/notice'
import { PageBody, PageHead } from '../../_ui/page-head'
import { RelativeTime } from '../../_ui/relative-time'
import { AskForExport } from './ask-for-export'
import { RunTable } from './run-table'

export const metadata: Metadata = { title: 'Activity' }

type Search = { searchParams: Promise<Record<string, string | string[] | undefined>> }

/** The team's audit log. lib/portal/views/activity/activity.ts says who may see what. Its filters work without scripts. */
export default async function ActivityPage({ searchParams }: Search) {
  const actor = await requireActor()
  const filter = readFilter(await searchParams)
  const zone = zoneFor(actor.preferences, (await cookies()).get(zoneCookie)?.value)
  const [{ entries, older }, people, named, chain, held] = await Promise.all([
    readActivity(actor, filter, zone),
    listPeople(actor),
    findNarrowed(actor, filter),
    watchChain(),
    needsSecondPerson(actor.team.id, 'activity.export'),
  ])
  const narrowed = writeFilter({ ...filter, before: null }) !== ''
  return (
    <>
      <PageHead
        title="Activity"
        actions={
          // Not a <Link>, because this is a file, not a page.
          !may(actor.role, 'auditLog', 'export') ? null : held ? (
            <AskForExport filter={writeFilter(filter)} zone={zone} />
          ) : (
            <a
              href={`/api/activity/csv${writeFilter(filter)}`}
              download
              className="inline-flex h-8 items-center rounded-control border border-line bg-surface px-3 font-semibold hover:border-line-strong touch:h-10"
            >
              Download CSV
            </a>
          )
        }
      />
      <PageBody>
        <ChainNotice chain={chain} />
        <ActivityFilterForm key={writeFilter(filter)} filter={filter} people={people} named={named} narrowed={narrowed} />
        <Card className="overflow-hidden">
          {entries.length > 0 ? (
            <RunTable entries={entries} zone={zone} />
          ) : (
            <EmptyState
              title={older === null ? 'No matches' : 'No matches among the newer entries'}
              actions={narrowed ? <ButtonLink href="/activity">Show everything</ButtonLink> : null}
            >
              <p>{older === null ? 'No entry matches this filter.' : 'Older entries have not been searched yet.'}</p>
            </EmptyState>
          )}
        </Card>
        <Pages filter={filter} older={older} narrowed={narrowed} />
        <p className="text-small text-muted">Times are in {zone.replaceAll('_', ' ')}.</p>
      </PageBody>
    </>
  )
}

type PagesProps = { filter: ActivityFilter; older: number | null; narrowed: boolean }

function Pages({ filter, older, narrowed }: PagesProps) {
  if (filter.before === null && older === null) return null
  return (
    <nav aria-label="Pages" className="flex flex-wrap gap-2">
      {filter.before === null ? null : <ButtonLink href={`/activity${writeFilter({ ...filter, before: null })}`}>Newest</ButtonLink>}
      {older === null ? null : (
        <ButtonLink href={`/activity${writeFilter({ ...filter, before: older })}`}>{narrowed ? 'Search older' : 'Older'}</ButtonLink>
      )}
    </nav>
  )
}

/** Whether the audit log's integrity is verified. */
function ChainNotice({ chain }: { chain: ChainState | null }) {
  if (chain === null)
    return <p className="text-small text-muted">The integrity of the log is being checked. Reload the page in a moment.</p>
  const at = <RelativeTime at={new Date(chain.at).toISOString()} />
  if (chain.verdict.ok) {
    return (
      <p className="text-small text-muted">
        Log integrity verified · {formatCount(chain.verdict.rows)} entries · checked {at}
      </p>
    )
  }
  return (
    <Notice tone="danger" alert title={`The log was tampered with at entry ${chain.verdict.badSeq}.`}>
      <p>
        {chain.verdict.why} Entries from there on cannot be trusted. Someone wrote to Gatehouse’s database directly: keep a copy of the
        database as it is, find out who has access to it, and compare it with your newest backup. Checked {at}.
      </p>
    </Notice>
  )
}

type ActivityFilterFormProps = { filter: ActivityFilter; people: readonly ListedPerson[]; named: Narrowed; narrowed: boolean }

function ActivityFilterForm({ filter, people, named: { object, connections }, narrowed }: ActivityFilterFormProps) {
  return (
    <FilterForm action="/activity" label="Filter the activity" active={countSet({ ...filter, before: null })}>
      <NamedChoice name="person" label="Person" value={filter.person} all="Everyone" named={namedPeople(people)} />
      <Choice name="kind" label="Kind" value={filter.kind} all="All">
        {optionsOf(kinds)}
      </Choice>
      <Choice name="outcome" label="Outcome" value={filter.outcome} all="Any">
        {optionsOf(results)}
      </Choice>
      <Labelled label="Target" className="w-40">
        {(id) => <Input id={id} name="target" type="search" defaultValue={filter.target} maxLength={100} placeholder="Part of its name" />}
      </Labelled>
      {object ? (
        <Choice name="object" label="Server or site" value={object.id} all="Any">
          <option value={object.id}>{object.name}</option>
        </Choice>
      ) : null}
      {connections.length > 1 || filter.connection !== null ? (
        <NamedChoice name="connection" label="Connection" value={filter.connection} all="Any" named={connections} />
      ) : null}
      <Days from={filter.from} to={filter.to} />
      <Button type="submit">Filter</Button>
      {narrowed ? (
        <ButtonLink href="/activity" variant="ghost">
          Clear
        </ButtonLink>
      ) : null}
    </FilterForm>
  )
}
