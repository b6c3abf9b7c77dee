import type { ReactNode } from 'react'
import { Card } from '@/app/_ui/section'
import { PageBody, PageHead } from '../../_ui/page-head'
import { Skeleton } from '../../_ui/skeleton'
import type { Body, Shape } from './shapes'

type PageSkeletonProps = {
  shape: Shape
  /** Without a head: that of the current page stays. */
  headless: boolean
  /** Says what is loading. */
  waiting: ReactNode
}

/** The skeleton of a page that is loading. */
export function PageSkeleton({ shape, headless, waiting }: PageSkeletonProps) {
  const wide = shape.body === 'list'
  return (
    <>
      {headless ? null : (
        <div aria-hidden>
          <Head shape={shape} wide={wide} />
        </div>
      )}
      <PageBody wide={wide}>
        <div aria-hidden className="flex flex-col gap-7">
          {bodies[shape.body]}
        </div>
        {waiting}
      </PageBody>
    </>
  )
}

function Head({ shape: { title, below, tabs }, wide }: { shape: Shape; wide: boolean }) {
  return (
    <PageHead
      wide={wide}
      heading={
        <>
          {below ? <Skeleton className="my-1.5 h-3 w-16" /> : null}
          {title === '' ? (
            <Skeleton className="my-1.5 h-6 w-56 max-w-full" />
          ) : (
            // Drawn by CSS, because the page has no such heading yet.
            <p data-title={title} className="py-0.5 text-title font-strong tracking-[-0.015em] after:content-[attr(data-title)]" />
          )}
        </>
      }
      facts={tabs ? <Boxes widths={['w-24', 'w-40']} /> : null}
      tabs={
        tabs ? (
          <div className="flex h-9 items-center gap-5 overflow-hidden touch:h-11">
            <Boxes widths={['w-16', 'w-10', 'w-10', 'w-12', 'w-14', 'w-10']} />
          </div>
        ) : null
      }
    />
  )
}

const Boxes = ({ widths }: { widths: readonly string[] }) =>
  numbers(widths.length).map((box) => <Skeleton key={box} className={`h-4 shrink-0 ${widths[box]}`} />)

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index)

const Rows = ({ count }: { count: number }) => (
  <Card className="divide-y divide-line">
    {numbers(count).map((row) => (
      <div key={row} className="flex h-row items-center gap-8 px-4">
        <Skeleton className="h-3.5 w-24" />
        <Skeleton className="h-3.5 w-56" />
        <Skeleton className="h-3.5 w-24 max-tablet:hidden" />
      </div>
    ))}
  </Card>
)

const Titled = ({ children }: { children: ReactNode }) => (
  <div className="flex flex-col gap-2.5">
    <Skeleton className="my-0.5 h-4 w-28" />
    {children}
  </div>
)

const Filter = ({ fields }: { fields: number }) => (
  <div className="flex flex-wrap items-end gap-3">
    {numbers(fields).map((field) => (
      <Skeleton key={field} className={`h-8 w-40 touch:h-10 ${field > 0 ? 'max-tablet:hidden' : ''}`} />
    ))}
  </div>
)

const Facts = ({ rows }: { rows: number }) => (
  <Titled>
    <Card className="divide-y divide-line">
      {numbers(rows).map((row) => (
        <div key={row} className="flex h-[35px] items-center gap-8 px-4">
          <Skeleton className="h-3.5 w-20" />
          <Skeleton className="h-3.5 w-48" />
        </div>
      ))}
    </Card>
  </Titled>
)

const Figures = () => (
  <Card className="flex divide-line max-tablet:flex-col max-tablet:divide-y tablet:divide-x">
    {numbers(3).map((figure) => (
      <div key={figure} className="flex flex-1 flex-col gap-2 px-4 py-3.5">
        <Skeleton className="h-3.5 w-14" />
        <Skeleton className="h-6 w-32" />
        <Skeleton className="h-1.5 w-full" />
      </div>
    ))}
  </Card>
)

const Lines = () => (
  <div className="flex flex-col gap-2 rounded-sheet bg-terminal px-4 py-3">
    {numbers(12).map((line) => (
      <span key={line} className="h-3 rounded-control bg-terminal-ink/10" style={{ width: `${35 + ((line * 17) % 50)}%` }} />
    ))}
  </div>
)

const bodies: Record<Body, ReactNode> = {
  home: (
    <>
      <Titled>
        <Rows count={3} />
      </Titled>
      <Titled>
        <Skeleton className="h-16 w-full" />
      </Titled>
      <Titled>
        <Rows count={4} />
      </Titled>
    </>
  ),
  list: (
    <div className="flex flex-col gap-3">
      <Filter fields={3} />
      <Rows count={12} />
    </div>
  ),
  filtered: (
    <>
      <Filter fields={4} />
      <Rows count={10} />
    </>
  ),
  rows: (
    <Titled>
      <Rows count={4} />
    </Titled>
  ),
  cards: (
    <>
      <Facts rows={3} />
      <Facts rows={4} />
    </>
  ),
  overview: (
    <>
      <Figures />
      <Facts rows={6} />
    </>
  ),
  job: (
    <>
      <Skeleton className="h-2 w-full" />
      <Rows count={5} />
      <Lines />
    </>
  ),
  log: (
    <>
      <Filter fields={2} />
      <Lines />
    </>
  ),
  form: (
    <div className="flex max-w-[640px] flex-col gap-5">
      {numbers(4).map((field) => (
        <div key={field} className="flex flex-col gap-1.5">
          <Skeleton className="h-3.5 w-24" />
          <Skeleton className="h-8 w-full touch:h-10" />
        </div>
      ))}
    </div>
  ),
}
