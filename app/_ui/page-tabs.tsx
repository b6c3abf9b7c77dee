'use client'

import { clsx } from 'clsx'
import { usePathname } from 'next/navigation'
import { useEffect, useRef } from 'react'
import { useOpeningPage } from './opening'
import { Link } from './page-link'

/** Tabs that are routes: text, with a line under the current one. */
export function PageTabs({ label, tabs }: { label: string; tabs: readonly { href: string; name: string; count?: string }[] }) {
  const path = usePathname()
  const opening = useOpeningPage()
  const marked = tabs.find(({ href }) => href === opening)?.href ?? path
  const nav = useRef<HTMLElement>(null)
  // If they do not all fit, scrolls the current one into view without scrolling the page, and fades the sides with more of them.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the path changes
  useEffect(() => {
    const box = nav.current
    if (!box) return
    const mark = () => {
      const { scrollLeft, clientWidth, scrollWidth } = box
      box.dataset.more = `${scrollLeft > 1 ? 'before' : ''} ${scrollLeft + clientWidth < scrollWidth - 1 ? 'after' : ''}`
    }
    const settle = () => {
      const here = box.querySelector<HTMLElement>('[aria-current]')
      if (here) box.scrollLeft = here.offsetLeft - (box.clientWidth - here.offsetWidth) / 2
      mark()
    }
    const observer = new ResizeObserver(settle)
    observer.observe(box)
    box.addEventListener('scroll', mark, { passive: true })
    return () => {
      observer.disconnect()
      box.removeEventListener('scroll', mark)
    }
  }, [path])
  return (
    <nav
      ref={nav}
      aria-label={label}
      className="relative -mb-px overflow-x-auto [scrollbar-width:none] data-[more~=after]:mask-r-from-88% data-[more~=before]:mask-l-from-88%"
    >
      <ul className="flex gap-5">
        {tabs.map((tab) => (
          <li key={tab.href}>
            <Link
              href={tab.href}
              aria-current={path === tab.href ? 'page' : undefined}
              className={clsx(
                'flex h-9 touch:h-11 items-center gap-1 border-b-2 -outline-offset-2',
                marked === tab.href ? 'border-accent font-semibold text-ink' : 'border-transparent text-muted hover:text-ink',
              )}
            >
              {/* As wide as in bold, so that the following tabs do not move when the current one changes. */}
              <span
                data-name={tab.name}
                className="inline-flex flex-col after:invisible after:h-0 after:overflow-hidden after:font-semibold after:content-[attr(data-name)]"
              >
                {tab.name}
              </span>
              {tab.count ? <span>{tab.count}</span> : null}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
