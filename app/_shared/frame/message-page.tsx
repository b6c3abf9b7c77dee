import type { ReactNode } from 'react'
import { ButtonLink } from '../../_ui/button'

/** A page shown in place of the requested one. */
export function MessagePage({ title, description, action }: { title: string; description: ReactNode; action: ReactNode }) {
  return (
    <div className="flex max-w-[640px] flex-col items-start gap-3 px-4 py-[10vh] tablet:px-7">
      <h1 className="text-title font-strong tracking-[-0.015em]">{title}</h1>
      <div className="text-muted">{description}</div>
      <div className="flex flex-wrap gap-2 pt-2">{action}</div>
    </div>
  )
}

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
