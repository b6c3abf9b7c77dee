import type { ReactNode } from 'react'
import { ButtonLink } from '../../_ui/button'
import { MessagePage } from './message-page'

type NotFoundPageProps = {
  title: string
  description: ReactNode
  /** The most likely way on. Default: the list of servers. */
  first?: ReactNode
}

/** For an address that leads nowhere, with links to other pages. A page of another team looks the same. */
export function NotFoundPage({ title, description, first }: NotFoundPageProps) {
  return (
    <MessagePage
      title={title}
      description={description}
      action={
        <>
          {first ?? (
            <ButtonLink href="/servers" variant="primary">
              View servers
            </ButtonLink>
          )}
          <ButtonLink href="/jobs">Jobs</ButtonLink>
          <ButtonLink href="/activity">Activity</ButtonLink>
          <ButtonLink href="/">Home</ButtonLink>
        </>
      }
    />
  )
}
