'use client'

import { TriangleAlert } from 'lucide-react'
import type { MouseEvent } from 'react'
import { Link } from './page-link'

/** isGood: nothing in it needs a look. isShown: it is what the page shows now. */
export type SentencePart = {
  key: string
  text: string
  href: string
  isGood: boolean
  isShown?: boolean
  onClick?: (event: MouseEvent) => void
}

/** Facts in one line, each a link. On phones, where they are below each other, there are no dots between them. */
export function SentenceOfLinks({ label, parts }: { label: string; parts: readonly SentencePart[] }) {
  return (
    <ul aria-label={label} className="flex flex-wrap items-center gap-y-1 max-tablet:gap-x-4">
      {parts.map(({ key, text, href, isGood, isShown = false, onClick }, place) => (
        <li key={key} className="flex items-center">
          <Link
            href={href}
            {...(onClick && { onClick })}
            aria-current={isShown || undefined}
            className="inline-flex min-h-6 items-center gap-1.5 underline decoration-line-strong decoration-1 underline-offset-4 hover:text-accent hover:decoration-current aria-current:text-accent aria-current:decoration-current touch:min-h-10"
          >
            {isGood ? null : <TriangleAlert aria-hidden size={16} strokeWidth={1.75} className="shrink-0 text-warn" />}
            <span className={isGood ? undefined : 'font-semibold'}>{text}</span>
          </Link>
          {place === parts.length - 1 ? null : (
            <span aria-hidden className="px-2 text-muted max-tablet:hidden">
              ·
            </span>
          )}
        </li>
      ))}
    </ul>
  )
}
