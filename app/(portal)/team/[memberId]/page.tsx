import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { ButtonLink } from '@/app/_ui/button'
import { PageBody, PageHead } from '@/app/_ui/page-head'
import { Section } from '@/app/_ui/section'
import { requireActor } from '@/lib/portal/identity/actor'
import { findLeftBehind } from '@/lib/portal/subjects/team/left-behind'
import { OwnConnections, OwnTargets, Traces } from './left-behind'

export const metadata: Metadata = { title: 'Keys and traces' }

type Params = { params: Promise<{ memberId: string }> }

/** What a member keeps and made, to be removed once they have gone. */
export default async function LeftBehindPage({ params }: Params) {
  const [actor, { memberId }] = [await requireActor(), await params]
  const left = await findLeftBehind(actor, memberId)
  if (!left) notFound()
  return (
    <>
      <PageHead
        trail={[{ href: '/team', name: 'Team' }]}
        title={left.name}
        facts={
          <p className="text-muted">
            {left.email} · {left.member ? 'Member' : 'No longer a member'}
          </p>
        }
        actions={<ButtonLink href={`/activity?person=${memberId}`}>Show activity</ButtonLink>}
      />
      <PageBody>
        <p className="-mt-2 max-w-[72ch] text-muted">
          Removing a member freezes their own connections and backup targets, and changes nothing on servers. Remove there what should not
          stay.
        </p>
        <Section title="Connections of their own">
          <OwnConnections connections={left.connections} />
        </Section>
        <Section title="Backup targets of their own">
          <OwnTargets targets={left.targets} />
        </Section>
        <Section title="Made on servers">
          <Traces traces={left.traces} />
        </Section>
      </PageBody>
    </>
  )
}
