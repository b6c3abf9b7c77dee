'use client'

import { clsx } from 'clsx'
import { KeyRound, ListChecks, ScrollText, Server } from 'lucide-react'
import Link from 'next/link'
import { usePathname } from 'next/navigation'
import type { JobView } from '@/lib/portal/jobs/view'
import { railItem } from './rail-item'
import type { ServerList } from './server-list'
import { useRead } from './use-read'

/** The places of the portal, with what goes on there. */
export function RailLinks() {
  const path = usePathname()
  const { data: list } = useRead<ServerList>('/api/servers', { everyMs: 15_000 })
  const { data: jobs } = useRead<JobView[]>('/api/jobs', { everyMs: 15_000 })
  const running = jobs?.filter((job) => job.state === 'running').length ?? 0
  const places = [
    { href: '/servers', name: 'Servers', Icon: Server, count: list ? String(list.servers.length) : '' },
    { href: '/jobs', name: 'Jobs', Icon: ListChecks, count: running > 0 ? `${running} running` : '' },
    { href: '/activity', name: 'Activity', Icon: ScrollText, count: '' },
    { href: '/keys', name: 'Keys', Icon: KeyRound, count: '' },
  ]
  return (
    <nav aria-label="Main" className="contents tablet:block">
      <ul className="contents tablet:flex tablet:flex-col">
        {places.map(({ href, name, Icon, count }) => {
          const here = path === href || path.startsWith(`${href}/`)
          return (
            <li key={href} className="flex flex-1 tablet:flex-none">
              <Link href={href} aria-current={here ? 'page' : undefined} className={railItem(here)}>
                <Icon aria-hidden size={16} strokeWidth={1.5} className="desktop:hidden" />
                <span className="rail-word">{name}</span>
                <span className={clsx('ml-auto max-desktop:hidden', here ? 'font-semibold' : 'text-muted')}>{count}</span>
              </Link>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}
