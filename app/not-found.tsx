import type { Metadata } from 'next'
import { headers } from 'next/headers'
import { askedPageHeader, signInAddress } from '@/lib/portal/base/request/return-path'
import { findActor } from '@/lib/portal/identity/actor'
import { MessagePage, NotFoundPage } from './_shared/frame/message-page'
import { ButtonLink } from './_ui/button'
import PortalLayout from './(portal)/layout'

export const metadata: Metadata = { title: 'Not found' }

const title = 'Page not found'

/** For an address that is not a page of the portal; signed-in users see the portal's frame around it. */
export default async function NotFound() {
  if (!(await findActor())) return <SignedOut />
  return (
    <PortalLayout>
      <NotFoundPage title={title} description={<p>Check the address, or continue from here.</p>} />
    </PortalLayout>
  )
}

async function SignedOut() {
  const asked = (await headers()).get(askedPageHeader)
  return (
    <main className="mx-auto w-fit">
      <MessagePage
        title={title}
        description={<p>Check the address, or sign in.</p>}
        action={
          <ButtonLink href={signInAddress(asked)} variant="primary">
            Sign in
          </ButtonLink>
        }
      />
    </main>
  )
}
