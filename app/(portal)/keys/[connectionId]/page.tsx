import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { ButtonLink } from '@/app/_ui/button'
import { Notice } from '@/app/_ui/notice'
import { PageBody, PageHead } from '@/app/_ui/page-head'
import { Section } from '@/app/_ui/section'
import { roleNames } from '@/lib/portal/access/roles'
import { type Person, requireActor } from '@/lib/portal/identity/actor'
import { listLabelNames } from '@/lib/portal/subjects/labels/labels'
import { commonBorrowers, findGivable } from '@/lib/portal/subjects/lending/givable'
import { findLentConnection, listBorrowers } from '@/lib/portal/subjects/lending/view'
import { listUses } from '@/lib/portal/views/activity/uses'
import { type BorrowerChoice, Lend } from './loan-dialog'
import { LoanTable } from './loan-table'
import { UseTable } from './use-table'

export const metadata: Metadata = { title: 'Lending' }

type Params = { params: Promise<{ connectionId: string }> }

/** Whom a member's own connection is lent to, until when, and what they did with it. */
export default async function LendingPage({ params }: Params) {
  const [actor, { connectionId }] = [await requireActor(), await params]
  const connection = await findLentConnection(actor, connectionId)
  if (!connection) notFound()
  const { label, ownerName, frozen, loans, mayLend, mayEnd } = connection
  const [uses, members, labels] = await Promise.all([
    listUses(actor, connection),
    mayLend ? listBorrowers(actor) : [],
    mayLend ? listLabelNames(actor) : [],
  ])
  const borrowers = mayLend ? await toChoices(actor, members) : []
  return (
    <>
      <PageHead
        trail={[{ href: '/keys', name: 'Connections' }]}
        title={label}
        facts={<p className="text-muted">{ownerName === null ? 'Your own connection' : `The own connection of ${ownerName}`}</p>}
        actions={
          <>
            {mayLend || ownerName !== null ? <ButtonLink href={`/reach?of=connection&id=${connectionId}`}>Reach</ButtonLink> : null}
            {mayLend ? <Lend connectionId={connectionId} borrowers={borrowers} labels={labels} /> : null}
          </>
        }
      />
      <PageBody>
        {frozen ? <Notice tone="warn" title="This connection is frozen: nobody can use it until it is thawed." /> : null}
        <p className="-mt-2 max-w-[72ch] text-muted">
          Others can use this connection as far as it is lent to them and their access includes it. Nobody sees its key.
        </p>
        <Section title="Lent to" count={loans.length}>
          <LoanTable loans={loans} labels={labels} mayChange={mayLend} mayEnd={mayEnd} />
        </Section>
        <Section title="Uses by others">
          <UseTable uses={uses} />
        </Section>
      </PageBody>
    </>
  )
}

/** Members, then roles and the whole team, each with the access that can be given along. */
async function toChoices(actor: Person, members: Awaited<ReturnType<typeof listBorrowers>>): Promise<BorrowerChoice[]> {
  const all = [...members.map(({ id, role }) => ({ kind: 'member', id, role }) as const), ...commonBorrowers]
  const givable = await findGivable(actor, all)
  const nameOf = new Map(members.map(({ id, name }) => [id, name]))
  return all.flatMap((borrower, index): BorrowerChoice[] => {
    const found = givable[index]
    if (!found) return []
    if (borrower.kind === 'team') return [{ value: 'team', name: 'The whole team', guest: false, givable: found }]
    const common = { guest: borrower.role === 'guest', givable: found }
    const roleName = roleNames[borrower.role]
    if (borrower.kind === 'role') return [{ ...common, value: `role ${borrower.role}`, name: `Everyone with the role ${roleName}` }]
    const name = nameOf.get(borrower.id) ?? ''
    return [{ ...common, value: `member ${borrower.id}`, name: `${name}, ${roleName}`, said: name }]
  })
}
