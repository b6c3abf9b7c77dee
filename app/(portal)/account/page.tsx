import type { Metadata } from 'next'
import { requireActor } from '@/lib/portal/identity/actor'
import { timeZones } from '@/lib/portal/identity/preferences'
import { listSessions } from '@/lib/portal/identity/sessions'
import { PageBody, PageHead } from '../../_ui/page-head'
import { Section } from '../../_ui/section'
import { DisplayForm } from './display-form'
import { NameForm } from './name-form'
import { PasswordForm } from './password-form'
import { Sessions } from './sessions'

export const metadata: Metadata = { title: 'Account' }

export default async function AccountPage() {
  const actor = await requireActor()
  const sessions = await listSessions(actor)
  return (
    <>
      <PageHead
        title="Account"
        facts={
          <p className="text-muted">
            {actor.user.email} · Role in {actor.team.name}: {actor.role}
          </p>
        }
      />
      <PageBody>
        <Section title="Display">
          <DisplayForm zones={timeZones()} />
        </Section>
        <div className="grid items-start gap-7 desktop:grid-cols-2">
          <Section title="Name">
            <NameForm name={actor.user.name} />
          </Section>
          <Section title="Password">
            <PasswordForm email={actor.user.email} />
          </Section>
        </div>
        <Sessions sessions={sessions} />
        <Section title="Keyboard shortcuts">
          <p className="text-muted">
            Press <kbd className="rounded-control border border-line bg-surface px-1.5 font-mono text-code text-ink">?</kbd> on any page to
            see all shortcuts.
          </p>
        </Section>
      </PageBody>
    </>
  )
}
