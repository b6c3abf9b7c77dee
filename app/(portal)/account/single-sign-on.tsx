'use client'

import { useRouter } from 'next/navigation'
import { StartButton } from '@/app/_shared/forms/start-button'
import { RelativeTime } from '@/app/_ui/relative-time'
import { Card, Section } from '@/app/_ui/section'
import type { OwnProvider } from '@/lib/portal/identity/single-sign-on/own-provider'
import { connectProvider, disconnectProvider } from './actions'

/** The user's account at the identity provider. Nothing if there is neither one nor a provider. */
export function SingleSignOn({ provider: { connected, offered, drops, stays } }: { provider: OwnProvider }) {
  const router = useRouter()
  if (connected === null && offered === null) return null
  return (
    <Section title="Single sign-on">
      <Card className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 p-4">
        {connected ? (
          <>
            <div className="flex min-w-0 flex-col gap-0.5">
              <p className="font-semibold break-words">Connected with {connected.name}</p>
              <p className="text-small text-muted">
                Since <RelativeTime at={connected.since} />
                {connected.lastUsedAt === null ? null : (
                  <>
                    , last used <RelativeTime at={connected.lastUsedAt} />
                  </>
                )}
              </p>
            </div>
            <StartButton
              action={disconnectProvider}
              target={{}}
              label="Disconnect"
              variant="danger"
              refusal={stays ?? undefined}
              message={() => 'Your account was disconnected.'}
              onDone={router.refresh}
            />
          </>
        ) : (
          <>
            <p className="min-w-0 flex-1 basis-72 text-muted">
              Sign in with {offered}, with the same email address, instead of your password.
              {drops ? ' Your address was never verified, so connecting removes your password, passkeys and authenticator app.' : null}
            </p>
            <StartButton
              action={connectProvider}
              target={{}}
              label={`Connect ${offered}`}
              variant="outline"
              onDone={({ location }) => window.location.assign(location)}
            />
          </>
        )}
      </Card>
    </Section>
  )
}
