import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { readReturnPath } from '@/lib/portal/base/request/return-path'
import { findActor } from '@/lib/portal/identity/actor'
import { ownerExists } from '@/lib/portal/identity/setup-link'
import { Notice } from '../../_ui/notice'
import { SignInForm } from './sign-in-form'

export const metadata: Metadata = { title: 'Sign in' }

type Search = { searchParams: Promise<Record<string, string | string[] | undefined>> }

export default async function SignInPage({ searchParams }: Search) {
  const back = readReturnPath((await searchParams).back)
  if (await findActor()) redirect(back)
  if (!(await ownerExists())) {
    return (
      <>
        <h1 className="mb-4 text-title font-strong tracking-[-0.015em]">Not set up yet</h1>
        <Notice tone="info" title="Open the set-up link first.">
          The link is in the terminal where Gatehouse was started. Use it to create the owner account. If it has expired, restart Gatehouse
          for a new one.
        </Notice>
      </>
    )
  }
  return (
    <>
      <h1 className="mb-5 text-title font-strong tracking-[-0.015em]">Sign in</h1>
      <SignInForm back={back} />
    </>
  )
}
