import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { readReturnPath, setUpAddress } from '@/lib/portal/base/request/return-path'
import { findActor, findAwaiting, findIdleEnd } from '@/lib/portal/identity/actor'
import { whyNoPasskeys } from '@/lib/portal/identity/passkeys/relying-party'
import { ownerExists } from '@/lib/portal/identity/setup-link'
import { readJoining } from '@/lib/portal/identity/single-sign-on/joining'
import { findProviderName } from '@/lib/portal/identity/single-sign-on/provider'
import { formatIdle } from '../../_ui/dates'
import { Notice } from '../../_ui/notice'
import { CodeForm } from './code-form'
import { PasskeyForm, SignInForm, SingleSignOnForm } from './sign-in-form'

export const metadata: Metadata = { title: 'Sign in' }

type Search = { searchParams: Promise<Record<string, string | string[] | undefined>> }

export default async function SignInPage({ searchParams }: Search) {
  const { back: asked, sso } = await searchParams
  const back = readReturnPath(asked)
  // Whoever has to confirm an account from the identity provider signs in once more.
  if ((await readJoining()) === null && (await findActor())) redirect(back)
  const provider = findProviderName()
  const awaiting = await findAwaiting()
  if (awaiting?.awaits === 'secondFactorSetup') redirect(setUpAddress(back))
  const passkeys = whyNoPasskeys() === null
  if (awaiting?.awaits === 'secondFactor') {
    return (
      <>
        <h1 className="mb-5 text-title font-strong tracking-[-0.015em]">Enter your code</h1>
        <CodeForm email={awaiting.person.user.email} back={back} />
        {passkeys ? <PasskeyForm label="Use a passkey" back={back} /> : null}
      </>
    )
  }
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
  const idleMinutes = await findIdleEnd()
  return (
    <>
      <h1 className="mb-5 text-title font-strong tracking-[-0.015em]">Sign in</h1>
      {idleMinutes === null ? null : (
        <div className="mb-5">
          <Notice tone="info" title={`You were signed out after ${formatIdle(idleMinutes)} without activity.`} />
        </div>
      )}
      {provider === null ? null : <SingleSignOnNotice code={sso} name={provider} />}
      <SignInForm back={back} />
      {passkeys ? <PasskeyForm label="Sign in with a passkey" back={back} /> : null}
      {provider === null ? null : <SingleSignOnForm name={provider} back={back} prove={sso === 'unproven'} />}
    </>
  )
}

/** What the sign-in page says after a round trip to the identity provider. `code`: from the address, so any text. */
function SingleSignOnNotice({ code, name }: { code: unknown; name: string }) {
  const notice = typeof code === 'string' && Object.hasOwn(notices, code) ? notices[code] : undefined
  if (!notice) return null
  return (
    <div className="mb-5">
      <Notice tone={code === 'confirm' ? 'info' : 'warn'} title={notice.title}>
        {notice.text(name)}
      </Notice>
    </div>
  )
}

const notices: Readonly<Record<string, { title: string; text: (name: string) => string }>> = {
  confirm: {
    title: 'Confirm your account.',
    text: (name) =>
      `Your address has an account here. Sign in once with its password or passkey to connect it with ${name}. A member’s account whose address was never verified then loses its other ways to sign in.`,
  },
  unknown: {
    title: 'You have no access.',
    text: () => 'No active member and no open invitation has your address. Ask an admin of your team to invite you.',
  },
  unverified: { title: 'Your address is not verified.', text: (name) => `Verify your email address with ${name}, then try again.` },
  taken: {
    title: 'This address is connected with another account.',
    text: () => 'Sign in the way you did before. You can disconnect the other account on the page Account.',
  },
  unproven: {
    title: 'Confirm that it is you.',
    text: (name) =>
      `You need a second factor and have none yet. Sign in with ${name} again, which asks for your password; then you set one up.`,
  },
  required: {
    title: 'Your team requires single sign-on.',
    text: (name) => `Your password is saved. Sign in with ${name}.`,
  },
  cancelled: { title: 'You cancelled the sign-in.', text: () => 'Try again, or sign in another way.' },
  failed: {
    title: 'Single sign-on failed.',
    text: () => 'It took too long, or the identity provider’s answer could not be verified. Try again.',
  },
}
