'use client'

import { clsx } from 'clsx'
import Link from 'next/link'
import { usePathname } from 'next/navigation'
import { useEffect, useRef } from 'react'

/** Tabs that are routes: text, with a line under the current one. */
export function PageTabs({ label, tabs }: { label: string; tabs: readonly { href: string; name: string; count?: string }[] }) {
  const path = usePathname()
  const nav = useRef<HTMLElement>(null)
  // If they do not all fit, scrolls the current one into view without scrolling the page.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the path changes
  useEffect(() => {
    const here = nav.current?.querySelector<HTMLElement>('[aria-current]')
    if (nav.current && here) nav.current.scrollLeft = here.offsetLeft - (nav.current.clientWidth - here.offsetWidth) / 2
  }, [path])
  return (
    <nav ref={nav} aria-label={label} className="relative -mb-px overflow-x-auto [scrollbar-width:thin]">
      <ul className="flex gap-5">
        {tabs.map((tab) => (
          <li key={tab.href}>
            <Link
              href={tab.href}
              prefetch={false}
              aria-current={path === tab.href ? 'page' : undefined}
              className={clsx(
                'flex h-9 touch:h-11 items-center gap-1 border-b-2 -outline-offset-2',
                path === tab.href ? 'border-accent font-semibold text-ink' : 'border-transparent text-muted hover:text-ink',
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
