import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { AddAccess } from '@/app/_shared/access/access-dialog'
import { AccessTable } from '@/app/_shared/access/access-table'
import { ButtonLink } from '@/app/_ui/button'
import { PageBody, PageHead } from '@/app/_ui/page-head'
import { Section } from '@/app/_ui/section'
import { may, roleNames, roleSentences } from '@/lib/portal/access/roles'
import { requireActor } from '@/lib/portal/identity/actor'
import { listLabelNames } from '@/lib/portal/subjects/labels/labels'
import { findMemberAccess } from '@/lib/portal/subjects/team/access/list'

export const metadata: Metadata = { title: 'Access' }

type Params = { params: Promise<{ memberId: string }> }

/** What a member may do on which servers and sites, and until when. */
export default async function MemberAccessPage({ params }: Params) {
  const [actor, { memberId }] = [await requireActor(), await params]
  const access = await findMemberAccess(actor, memberId)
  if (!access) notFound()
  const { member, rows, mayGive } = access
  const labels = mayGive ? await listLabelNames(actor) : []
  const reaches = may(actor.role, 'team', 'change') || member.id === actor.user.id
  const holder = { value: `member ${member.id}`, name: member.name, guest: member.role === 'guest' }
  return (
    <>
      <PageHead
        trail={[{ href: '/team', name: 'Team' }]}
        title={`Access of ${member.name}`}
        facts={
          <p className="text-muted">
            {member.email} · {roleNames[member.role]}
            {member.ended ? ' · The membership has ended' : ''}
          </p>
        }
        actions={
          <>
            {reaches ? <ButtonLink href={`/reach?of=member&id=${member.id}`}>Reach</ButtonLink> : null}
            {mayGive && !member.ended ? <AddAccess holders={[holder]} labels={labels} /> : null}
          </>
        }
      />
      <PageBody>
        <p className="-mt-2 max-w-[72ch] text-muted">
          {roleSentences[member.role]} {member.role === 'guest' ? '' : 'On servers and sites, only what is listed here.'}
        </p>
        <Section title="Access" count={rows.length}>
          <AccessTable rows={rows} of="member" labels={labels} none={noneOf(mayGive, member.id === actor.user.id)} />
        </Section>
      </PageBody>
    </>
  )
}

function noneOf(mayGive: boolean, own: boolean): string {
  const none = 'No access to any server or site.'
  if (mayGive) return `${none} Add access to choose what is possible, where and until when.`
  return own ? `${none} Ask for access on Home.` : none
}
