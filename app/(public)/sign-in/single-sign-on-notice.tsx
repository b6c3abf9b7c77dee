import { Notice } from '../../_ui/notice'

/** What the sign-in page says after a round trip to the identity provider. `code`: from the address, so any text. */
export function SingleSignOnNotice({ code, name }: { code: unknown; name: string }) {
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
