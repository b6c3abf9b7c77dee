'use client'

import { clsx } from 'clsx'
import Link from 'next/link'
import { usePathname } from 'next/navigation'

/** Tabs that are routes: text, and a line under the one in view. */
export function PageTabs({ label, tabs }: { label: string; tabs: readonly { href: string; name: string; count?: string }[] }) {
  const path = usePathname()
  return (
    <nav aria-label={label} className="-mb-px overflow-x-auto">
      <ul className="flex gap-5">
        {tabs.map((tab) => (
          <li key={tab.href}>
            <Link
              href={tab.href}
              aria-current={path === tab.href ? 'page' : undefined}
              className={clsx(
                'flex h-9 touch:h-11 items-center gap-1 border-b-2 -outline-offset-2',
                path === tab.href ? 'border-accent font-semibold text-ink' : 'border-transparent text-muted hover:text-ink',
              )}
            >
              {tab.name}
              {tab.count ? <span>{tab.count}</span> : null}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
