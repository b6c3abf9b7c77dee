import type { Metadata } from 'next'
import { Card, Section } from '@/app/_ui/section'
import { may, roleNames } from '@/lib/portal/access/roles'
import { sendsMail } from '@/lib/portal/base/mail/send'
import { requireActor } from '@/lib/portal/identity/actor'
import { timeZones } from '@/lib/portal/identity/preferences'
import { readFactors } from '@/lib/portal/identity/second-factor/view'
import { listSessions } from '@/lib/portal/identity/sessions'
import { findOwnProvider } from '@/lib/portal/identity/single-sign-on/own-provider'
import { ButtonLink } from '../../_ui/button'
import { PageBody, PageHead } from '../../_ui/page-head'
import { DisplayForm } from './display-form'
import { EmailForm } from './email/email-form'
import { NameForm } from './name-form'
import { PasswordForm } from './password-form'
import { SecondFactor } from './second-factor'
import { Sessions } from './sessions'
import { SingleSignOn } from './single-sign-on'

export const metadata: Metadata = { title: 'Account' }

export default async function AccountPage() {
  const actor = await requireActor()
  const [sessions, factors, provider] = await Promise.all([listSessions(actor), readFactors(actor.user.id), findOwnProvider(actor)])
  return (
    <>
      <PageHead
        title="Account"
        facts={
          <p className="text-muted">
            {actor.user.email} · {actor.team.name} · your role: {roleNames[actor.role]}
          </p>
        }
        actions={
          <>
            <ButtonLink href="/account/notifications">Notification channels</ButtonLink>
            <ButtonLink href={`/team/${actor.user.id}/access`}>Your access</ButtonLink>
          </>
        }
      />
      <PageBody>
        <Section title="Display">
          <DisplayForm zones={timeZones()} />
        </Section>
        <div className="grid items-start gap-7 desktop:grid-cols-2">
          <div className="flex min-w-0 flex-col gap-7">
            <Section title="Name">
              <NameForm name={actor.user.name} />
            </Section>
            <Section title="Email">
              <EmailForm email={actor.user.email} mails={sendsMail()} changesMembers={may(actor.role, 'team', 'change')} />
            </Section>
          </div>
          <Section title="Password">
            {factors.hasPassword ? (
              <PasswordForm email={actor.user.email} />
            ) : (
              <Card className="p-4 text-muted">
                <p>Your account has no password. A reset link sets one.</p>
              </Card>
            )}
          </Section>
        </div>
        <SecondFactor {...factors} />
        <SingleSignOn provider={provider} />
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
