import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import { Link } from './page-link'

type PageHeadProps = {
  trail?: readonly { href: string; name: string }[]
  title?: ReactNode
  /** Replaces the title and contains its own PageTitle. */
  heading?: ReactNode
  /** State and copyable facts. */
  facts?: ReactNode
  /** At most two buttons; other actions go into a menu. */
  actions?: ReactNode
  tabs?: ReactNode
  /** As wide as the window, above a list of many columns. */
  wide?: boolean
}

/** The header of every page, which begins at the left edge that all pages share; with tabs it ends in a line across the whole width. */
export function PageHead({ trail, title, heading, facts, actions, tabs, wide = false }: PageHeadProps) {
  return (
    <header className={tabs ? 'border-b border-line' : undefined}>
      <div className={clsx('flex w-full flex-col px-4 pt-4 tablet:px-7 tablet:pt-[17px]', !wide && 'max-w-[1280px]')}>
        {trail ? <Breadcrumb trail={trail} /> : null}
        <div className="flex flex-wrap items-start justify-between gap-x-5 gap-y-3">
          <div className={clsx('min-w-0 flex-1 basis-32', isLong(title) && 'max-tablet:basis-56')}>
            {heading ?? <PageTitle>{title}</PageTitle>}
          </div>
          {actions ? <div className="flex shrink-0 flex-wrap items-center gap-2">{actions}</div> : null}
        </div>
        {/* Below the actions, not beside them: on the narrowest phone every state still has room for the chips after it. */}
        {facts ? <div className="mt-1 flex min-h-7 flex-wrap items-center gap-x-4 gap-y-1">{facts}</div> : null}
        {tabs ? <div className="mt-4">{tabs}</div> : null}
      </div>
    </header>
  )
}

/** On a phone, a title of more than one short word has a line to itself if the actions would leave it only a narrow column. */
const isLong = (title: ReactNode): boolean => typeof title === 'string' && title.length > 12

export function PageTitle({ children }: { children: ReactNode }) {
  return <h1 className="py-0.5 text-title font-strong tracking-[-0.015em] break-words">{children}</h1>
}

/** The content below the header. wide: as wide as the window, for a list of many columns. */
export function PageBody({ children, wide = false }: { children: ReactNode; wide?: boolean }) {
  return <div className={clsx('flex w-full flex-col gap-7 px-4 py-5 tablet:px-7', !wide && 'max-w-[1280px]')}>{children}</div>
}

/** The pages above this one; the page itself is the title below, so the trail ends before it. */
function Breadcrumb({ trail }: { trail: readonly { href: string; name: string }[] }) {
  return (
    <nav aria-label="Breadcrumb">
      <ol className="flex flex-wrap items-center gap-x-1.5 text-small text-muted">
        {trail.map((place, index) => (
          <li key={place.href} className="flex min-h-6 items-center gap-x-1.5">
            {index > 0 ? <span aria-hidden>/</span> : null}
            <Link href={place.href} className="inline-flex min-h-6 items-center rounded-control hover:text-ink hover:underline">
              {place.name}
            </Link>
          </li>
        ))}
      </ol>
    </nav>
  )
}
