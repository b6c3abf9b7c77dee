import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { Card, Section } from '@/app/_ui/section'
import { may, mayManage, roleNames, roleSentences, roles } from '@/lib/portal/access/roles'
import { readSecondPersonRule } from '@/lib/portal/approvals/change-rule'
import { sendsMail } from '@/lib/portal/base/mail/send'
import { requireActor } from '@/lib/portal/identity/actor'
import { idleChoices, readIdleMinutes } from '@/lib/portal/subjects/team/idle-sign-out'
import { listInvitations } from '@/lib/portal/subjects/team/invitations'
import { listMembers } from '@/lib/portal/subjects/team/members'
import { listPeople } from '@/lib/portal/subjects/team/people'
import { countAnswerable } from '@/lib/portal/subjects/team/requests/list'
import { findSingleSignOnRule } from '@/lib/portal/subjects/team/require-single-sign-on'
import { readSecondFactorRule } from '@/lib/portal/subjects/team/sign-in-rules'
import { PageBody, PageHead } from '../../_ui/page-head'
import { Link } from '../../_ui/page-link'
import { InvitationTable, InviteMember } from './invitations'
import { MemberTable } from './member-table'
import { IdleRule, SecondFactorRule, SecondPersonRule, SingleSignOnRule } from './rules'

export const metadata: Metadata = { title: 'Team' }

export default async function TeamPage() {
  const actor = await requireActor()
  const mayChange = may(actor.role, 'team', 'change')
  const [people, members, invitations, requests, secondFactor, singleSignOn, idleMinutes, secondPerson] = await Promise.all([
    mayChange ? listPeople(actor) : [],
    listMembers(actor),
    listInvitations(actor),
    countAnswerable(actor),
    readSecondFactorRule(actor),
    findSingleSignOnRule(actor),
    readIdleMinutes(actor),
    readSecondPersonRule(actor),
  ])
  const former = people.filter((person) => person.former)
  const offered = roles
    .filter((role) => mayManage(actor.role, role))
    .map((role) => ({ role, name: roleNames[role], sentence: roleSentences[role] }))
  return (
    <>
      <PageHead
        title="Team"
        facts={
          <>
            <p className="text-muted">
              {actor.team.name} · your role: {roleNames[actor.role]}
            </p>
            <FactLink href="/team/requests">Access requests{requests > 0 ? ` (${requests})` : ''}</FactLink>
            {mayChange ? <FactLink href="/team/channels">Channels</FactLink> : null}
            {may(actor.role, 'teamConnections', 'read') ? <FactLink href="/team/backup-targets">Backup targets</FactLink> : null}
          </>
        }
        actions={mayChange ? <InviteMember roles={offered} /> : null}
      />
      <PageBody>
        {mayChange ? null : <p className="-mt-2 max-w-[72ch] text-muted">A team owner or admin can invite and change members.</p>}
        <Section title="Members" count={members.length}>
          <MemberTable members={members} roles={offered} mails={sendsMail()} />
        </Section>
        {invitations.length > 0 ? (
          <Section title="Pending invitations" count={invitations.length}>
            <InvitationTable invitations={invitations} />
          </Section>
        ) : null}
        {former.length > 0 ? (
          <Section title="Former members" count={former.length}>
            <Card className="flex flex-wrap gap-x-4 gap-y-1 px-4 py-3">
              {former.map(({ id, name }) => (
                <Link key={id} href={`/team/${id}`} className="wrap-anywhere text-accent underline hover:text-accent-hover">
                  {name}
                </Link>
              ))}
            </Card>
          </Section>
        ) : null}
        <Section title="Sign-in rules">
          <Card>
            <ul className="divide-y divide-line">
              <SecondFactorRule rule={secondFactor} mayChange={actor.role === 'owner'} />
              {singleSignOn === null ? null : <SingleSignOnRule rule={singleSignOn} mayChange={actor.role === 'owner'} />}
              <IdleRule minutes={idleMinutes} choices={idleChoices} mayChange={actor.role === 'owner'} />
            </ul>
          </Card>
        </Section>
        <Section title="Second person">
          <SecondPersonRule lines={secondPerson} mayChange={actor.role === 'owner'} />
        </Section>
        <Section title="Roles">
          <Roles />
        </Section>
      </PageBody>
    </>
  )
}

/** The most powerful first. */
const Roles = () => (
  <Card>
    <dl className="divide-y divide-line">
      {[...roles].reverse().map((role) => (
        <div key={role} className="flex flex-wrap gap-x-4 px-4 py-2">
          <dt className="w-20 shrink-0 font-semibold">{roleNames[role]}</dt>
          <dd className="min-w-0 flex-1 basis-60 text-muted">{roleSentences[role]}</dd>
        </div>
      ))}
    </dl>
  </Card>
)

const FactLink = ({ href, children }: { href: string; children: ReactNode }) => (
  <Link href={href} className="text-accent underline hover:text-accent-hover">
    {children}
  </Link>
)
