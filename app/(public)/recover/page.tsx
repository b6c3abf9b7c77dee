import type { Metadata } from 'next'
import { findRecovering } from '@/lib/portal/identity/recovery'
import { ButtonLink } from '../../_ui/button'
import { RecoverForm } from './recover-form'

export const metadata: Metadata = { title: 'New password' }

type Search = { searchParams: Promise<Record<string, string | string[] | undefined>> }

export default async function RecoverPage({ searchParams }: Search) {
  const { token } = await searchParams
  const account = await findRecovering(token)
  if (!account || typeof token !== 'string') return <LinkClosed />
  return (
    <>
      <h1 className="text-title font-strong tracking-[-0.015em]">Choose a new password</h1>
      <p className="mt-1 mb-5 text-muted">
        For {account.email}. The old one stops working, and all sessions of this account are signed out.
      </p>
      <RecoverForm token={token} />
    </>
  )
}

function LinkClosed() {
  return (
    <>
      <h1 className="text-title font-strong tracking-[-0.015em]">This link is no longer valid</h1>
      <p className="mt-1 mb-5 text-muted">It was used, has expired, or was not copied completely. Ask for a new one.</p>
      <div>
        <ButtonLink href="/sign-in">Sign in</ButtonLink>
      </div>
    </>
  )
}
