'use client'

import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { ActionForm } from '@/app/_shared/forms/action-form'
import { StartButton } from '@/app/_shared/forms/start-button'
import { StepUpField } from '@/app/_shared/session/step-up-field'
import { Button } from '@/app/_ui/button'
import { Field } from '@/app/_ui/field'
import { Input } from '@/app/_ui/input'
import { Notice } from '@/app/_ui/notice'
import { Link } from '@/app/_ui/page-link'
import { Card } from '@/app/_ui/section'
import { confirmNewEmail, requestNewEmail } from '../actions'

export function ConfirmEmail({ token }: { token: string }) {
  const router = useRouter()
  return (
    <StartButton
      action={confirmNewEmail}
      target={{ token }}
      label="Use this address"
      message={({ email }) => `Your address is now ${email}.`}
      onDone={() => router.push('/account')}
    />
  )
}

type EmailFormProps = {
  email: string
  /** Whether Gatehouse can mail the link that proves a new address. */
  mails: boolean
  /** Whether the user changes members, and so their own address too. */
  changesMembers: boolean
}

export function EmailForm({ email, mails, changesMembers }: EmailFormProps) {
  const [sentTo, setSentTo] = useState<string | null>(null)
  return (
    <Card className="flex flex-col gap-4 p-4">
      {mails ? (
        <>
          {sentTo ? (
            <Notice tone="info" alert title={`Check the mail of ${sentTo}.`}>
              Open the link there in this browser. It works once, within one hour. If no mail arrives, the address cannot be used.
            </Notice>
          ) : null}
          <ActionForm action={requestNewEmail} onDone={(data) => setSentTo(data.email)} className="flex flex-col items-start gap-4">
            {(pending) => (
              <>
                <Field name="email" label="New email" hint={`Now ${email}. A link is mailed to the new address.`} className="w-full">
                  {(control) => <Input {...control} type="email" required maxLength={254} autoComplete="email" />}
                </Field>
                <StepUpField />
                <Button type="submit" disabled={pending}>
                  {pending ? 'Sending…' : 'Send link'}
                </Button>
              </>
            )}
          </ActionForm>
        </>
      ) : (
        <p className="text-muted">
          <span className="text-ink wrap-anywhere">{email}</span>.{' '}
          {changesMembers ? 'Change it in your menu' : 'A team owner or admin can change it'} on the page{' '}
          <Link href="/team" className="text-accent underline hover:text-accent-hover">
            Team
          </Link>
          .
        </p>
      )}
    </Card>
  )
}
