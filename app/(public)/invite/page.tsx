import type { Metadata } from 'next'
import Link from 'next/link'
import { roleNames, roleSentences } from '@/lib/portal/access/roles'
import { findActor } from '@/lib/portal/identity/actor'
import { findProviderName } from '@/lib/portal/identity/single-sign-on/provider'
import { findInvitation } from '@/lib/portal/subjects/team/accept'
import { ButtonLink } from '../../_ui/button'
import { EndOfDay } from '../../_ui/end-of-day'
import { Notice } from '../../_ui/notice'
import { AcceptForm, JoinForm, LeaveForm } from './accept-form'

export const metadata: Metadata = { title: 'Invitation' }

type Search = { searchParams: Promise<Record<string, string | string[] | undefined>> }

/** Opening the link changes nothing, since scanners of mail open links too. */
export default async function InvitePage({ searchParams }: Search) {
  const { token } = await searchParams
  const invitation = await findInvitation(token)
  if (!invitation || typeof token !== 'string') return <LinkClosed />
  const { email, role, membershipEndsAt, teamName, invitedBy, account } = invitation
  const actor = await findActor()
  const provider = actor ? null : findProviderName()
  return (
    <>
      <h1 className="text-title font-strong tracking-[-0.015em] break-words">Join {teamName}</h1>
      <div className="mt-1 mb-5 flex flex-col gap-2 break-words text-muted">
        <p>
          {invitedBy ?? 'A former member'} invites {email} as {roleNames[role]}.
        </p>
        <p>
          As {roleNames[role]}, you {withoutCapital(roleSentences[role])}
        </p>
        {membershipEndsAt ? (
          <p>
            Your membership ends with <EndOfDay at={membershipEndsAt} /> (UTC).
          </p>
        ) : null}
      </div>
      {actor ? (
        <SignedIn email={email} own={actor.user.email} token={token} role={roleNames[role]} />
      ) : account === 'passwordless' ? (
        <Passwordless />
      ) : (
        <AcceptForm token={token} email={email} account={account} />
      )}
      {provider === null ? null : (
        <p className="mt-4 text-small text-muted">
          Or{' '}
          <Link href="/sign-in" prefetch={false} className="text-accent underline hover:text-accent-hover">
            sign in with {provider}
          </Link>
          , which accepts the invitation too.
        </p>
      )}
    </>
  )
}

const withoutCapital = (sentence: string): string => sentence.charAt(0).toLowerCase() + sentence.slice(1)

/** own: the address that this browser is signed in with. */
function SignedIn({ email, own, token, role }: { email: string; own: string; token: string; role: string }) {
  if (own === email) return <JoinForm token={token} role={role} />
  return (
    <div className="flex flex-col gap-4">
      <Notice tone="info" title={`You are signed in as ${own}.`}>
        This invitation is for {email}. Sign out to accept it.
      </Notice>
      <LeaveForm token={token} />
    </div>
  )
}

/** The account is proven by signing in to it; the link then needs nothing else. */
const Passwordless = () => (
  <div className="flex flex-col gap-4">
    <Notice tone="info" title="This address has an account without a password.">
      Sign in first, with a passkey or through single sign-on. Then open this link again.
    </Notice>
    <div>
      <ButtonLink href="/sign-in">Sign in</ButtonLink>
    </div>
  </div>
)

function LinkClosed() {
  return (
    <>
      <h1 className="text-title font-strong tracking-[-0.015em]">This link is no longer valid</h1>
      <p className="mt-1 mb-5 text-muted">It was used, has expired, was revoked, or was not copied completely. Ask for a new invitation.</p>
      <div>
        <ButtonLink href="/sign-in">Sign in</ButtonLink>
      </div>
    </>
  )
}
