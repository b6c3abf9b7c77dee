import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { readReturnPath, signInAddress } from '@/lib/portal/base/request/return-path'
import { findActor, findAwaiting } from '@/lib/portal/identity/actor'
import { SetUp } from './set-up'

export const metadata: Metadata = { title: 'Set up your second factor' }

type Search = { searchParams: Promise<Record<string, string | string[] | undefined>> }

/** The step of signing in for members who need a second factor and have none yet. */
export default async function SetUpPage({ searchParams }: Search) {
  const back = readReturnPath((await searchParams).back)
  const [actor, awaiting] = [await findActor(), await findAwaiting()]
  const person = actor ?? (awaiting?.awaits === 'secondFactorSetup' ? awaiting.person : null)
  if (!person) redirect(signInAddress(back))
  // Also once the app was confirmed, when Next renders this page again: the recovery codes are only in the browser.
  return (
    <>
      <h1 className="mb-5 text-title font-strong tracking-[-0.015em]">Set up your second factor</h1>
      <SetUp email={person.user.email} team={person.team.name} back={back} signedIn={actor !== null} />
    </>
  )
}
