import type { Metadata } from 'next'
import { sendsMail } from '@/lib/portal/base/mail/send'
import { ButtonLink } from '../../_ui/button'
import { ForgotForm } from './forgot-form'

export const metadata: Metadata = { title: 'Forgot password' }
// Whether mail is configured is known only where the portal runs.
export const dynamic = 'force-dynamic'

export default function ForgotPage() {
  return (
    <>
      <h1 className="text-title font-strong tracking-[-0.015em]">Forgot password</h1>
      {sendsMail() ? (
        <>
          <p className="mt-1 mb-5 text-muted">Gatehouse mails a link to set a new password.</p>
          <ForgotForm />
        </>
      ) : (
        <p className="mt-1 text-muted">Ask an admin of your team for a reset link: they create it on the page Team.</p>
      )}
      <p className="mt-5 mb-5 text-small text-muted">
        For an owner, the server administrator creates a link on the server of Gatehouse:{' '}
        <code className="font-mono text-code text-ink">./gatehouse owner recover you@example.org</code>
      </p>
      <div>
        <ButtonLink href="/sign-in">Sign in</ButtonLink>
      </div>
    </>
  )
}
