'use client'

import { clsx } from 'clsx'
import Link, { useLinkStatus } from 'next/link'
import { usePathname } from 'next/navigation'
import { useEffect, useRef } from 'react'
import type { Counts } from '@/lib/portal/views/home/counts'
import { formatCount } from '../_ui/count'
import { type Place, places } from './places'
import { railItem } from './rail-item'
import { countsAddress } from './use-counts'
import { useRead } from './use-read'

/** The places of the portal, with what goes on there. */
export function RailLinks() {
  const path = usePathname()
  const count = useCounts(path)
  return (
    <nav aria-label="Main" className="contents tablet:block">
      <ul className="contents tablet:flex tablet:flex-col">
        {places
          .filter(({ link }) => link !== 'account')
          .map((place) => (
            <RailLink key={place.href} place={place} here={isHere(path, place.href)} count={count(place.href)} />
          ))}
      </ul>
    </nav>
  )
}

/** Home is only itself; every other place has what is under it. */
const isHere = (path: string, href: string): boolean => path === href || (href !== '/' && path.startsWith(`${href}/`))

function RailLink({ place: { href, name, Icon, link }, here, count }: { place: Place; here: boolean; count: string }) {
  return (
    <li className={clsx('flex flex-1 tablet:flex-none', link === 'rail' && 'max-tablet:hidden')}>
      <Link href={href} prefetch={false} aria-current={here ? 'page' : undefined} className={railItem(here)}>
        <Icon aria-hidden size={16} strokeWidth={1.5} className="desktop:hidden" />
        <span className="rail-word">{name}</span>
        <Going />
        <span className={clsx('ml-auto max-desktop:hidden', here ? 'font-semibold' : 'text-muted')}>{count}</span>
      </Link>
    </li>
  )
}

/** The page there is being made: a dot, once that takes longer than a glance. Pages have no skeletons of their own, which React would hold for a third of a second. */
function Going() {
  const { pending } = useLinkStatus()
  return pending ? <span aria-hidden className="size-1.5 animate-going rounded-full bg-accent" /> : null
}

/** The figure beside a place; read anew on every move, for moving often follows a change. */
function useCounts(path: string): (href: string) => string {
  const { data, again } = useRead<Counts>(countsAddress, { everyMs: 15_000 })
  const last = useRef(path)
  useEffect(() => {
    if (last.current !== path) again()
    last.current = path
  }, [path, again])
  return (href) => {
    if (!data) return ''
    if (href === '/servers') return formatCount(data.servers)
    return href === '/jobs' && data.running > 0 ? `${data.running} running` : ''
  }
}
