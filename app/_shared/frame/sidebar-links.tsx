'use client'

import { clsx } from 'clsx'
import { usePathname } from 'next/navigation'
import { useEffect, useRef } from 'react'
import { formatCount } from '../../_ui/count'
import { useOpeningPage } from '../../_ui/opening'
import { Link } from '../../_ui/page-link'
import { countsAddress } from '../reads/use-counts'
import { useRead } from '../reads/use-read'
import { type NavItem, navItems, sidebarItem } from './nav-items'

/** The pages of the portal, with their counts. */
export function SidebarLinks() {
  const path = usePathname()
  const opening = useOpeningPage()
  const count = useCounts(path)
  return (
    <nav aria-label="Main" className="contents tablet:block">
      <ul className="contents tablet:flex tablet:flex-col">
        {navItems
          .filter(({ link }) => link !== 'account')
          .map((item) => (
            <SidebarLink
              key={item.href}
              item={item}
              here={isHere(path, item.href)}
              marked={isHere(opening?.replace(/[?#].*/, '') ?? path, item.href)}
              count={count(item.href)}
            />
          ))}
      </ul>
    </nav>
  )
}

/** Home is active only on itself; every other item also on the pages below it. */
const isHere = (path: string, href: string): boolean => path === href || (href !== '/' && path.startsWith(`${href}/`))

type SidebarLinkProps = {
  item: NavItem
  here: boolean
  /** Marked as the current page, as soon as it is requested. */
  marked: boolean
  count: string
}

function SidebarLink({ item: { href, name, Icon, link }, here, marked, count }: SidebarLinkProps) {
  return (
    <li className={clsx('flex flex-1 tablet:flex-none', link === 'rail' && 'max-tablet:hidden')}>
      <Link href={href} aria-current={here ? 'page' : undefined} className={sidebarItem(marked)}>
        <Icon aria-hidden size={16} strokeWidth={1.5} className="desktop:hidden" />
        <span className="rail-word">{name}</span>
        <span className={clsx('ml-auto max-desktop:hidden', marked ? 'font-semibold' : 'text-muted')}>{count}</span>
      </Link>
    </li>
  )
}

/** The count next to an item; refreshed on every navigation, which often follows a change. */
function useCounts(path: string): (href: string) => string {
  const { data, again } = useRead(countsAddress, { everyMs: 15_000 })
  const last = useRef(path)
  useEffect(() => {
    if (last.current !== path) again()
    last.current = path
  }, [path, again])
  return (href) => {
    if (!data) return ''
    if (href === '/servers') return formatCount(data.servers)
    if (href === '/sites') return data.sites > 0 ? formatCount(data.sites) : ''
    return href === '/jobs' && data.running > 0 ? `${data.running} running` : ''
  }
}
