import type { Metadata } from 'next'
import { isSetupOpen } from '@/lib/portal/identity/setup-link'
import { getSettings } from '@/lib/settings/settings'
import { ButtonLink } from '../../_ui/button'
import { SetUpForm } from './set-up-form'

export const metadata: Metadata = { title: 'Set up' }

type Search = { searchParams: Promise<Record<string, string | string[] | undefined>> }

export default async function SetUpPage({ searchParams }: Search) {
  const { token } = await searchParams
  if (typeof token !== 'string' || !(await isSetupOpen(token))) return <LinkClosed />
  return (
    <>
      <h1 className="text-title font-strong tracking-[-0.015em]">Set up Gatehouse</h1>
      <p className="mt-1 mb-5 text-muted">Create the owner account. It takes about a minute.</p>
      <SetUpForm token={token} asksForKey={getSettings().upstreamUrl !== null} />
    </>
  )
}

function LinkClosed() {
  return (
    <>
      <h1 className="text-title font-strong tracking-[-0.015em]">This link is no longer valid</h1>
      <p className="mt-1 mb-5 text-muted">
        It was used, has expired or was replaced. Until the first account exists, restarting Gatehouse prints a new link.
      </p>
      <div>
        <ButtonLink href="/sign-in">Sign in</ButtonLink>
      </div>
    </>
  )
}
