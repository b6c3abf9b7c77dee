import type { Metadata } from 'next'
import { Notice } from '@/app/_ui/notice'
import { PageBody, PageHead } from '@/app/_ui/page-head'
import { Card } from '@/app/_ui/section'
import { requireActor } from '@/lib/portal/identity/actor'
import { findNewEmail } from '@/lib/portal/identity/change-email'
import { ConfirmEmail } from './email-form'

export const metadata: Metadata = { title: 'Confirm your new address' }

type Search = { searchParams: Promise<Record<string, string | string[] | undefined>> }

/** Where the mailed link leads. Opening it changes nothing, since scanners of mail open links too. */
export default async function NewEmailPage({ searchParams }: Search) {
  const [actor, { token }] = [await requireActor(), await searchParams]
  const email = await findNewEmail(actor, token)
  return (
    <>
      <PageHead trail={[{ href: '/account', name: 'Account' }]} title="New email address" />
      <PageBody>
        {email !== null && typeof token === 'string' ? (
          <Card className="flex flex-col items-start gap-4 p-4">
            <p className="max-w-[72ch] wrap-anywhere">
              From then on you sign in as <strong>{email}</strong> instead of {actor.user.email}. All your other sessions are signed out.
            </p>
            <ConfirmEmail token={token} />
          </Card>
        ) : (
          <Notice tone="warn" title="This link is not valid.">
            It was used, has expired, was replaced, or belongs to another account. Ask for a new one on the page Account.
          </Notice>
        )}
      </PageBody>
    </>
  )
}
