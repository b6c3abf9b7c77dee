'use client'

import { useEffect } from 'react'
import { openPage } from '../../_ui/opening'
import { isPageHeld, leavePage } from './hold'

/** Sees each click on a link before anything else does, and keeps the page if it may not be left. */
export function LeaveGuard() {
  useEffect(() => {
    const onClick = (event: MouseEvent) => {
      const anchor = event.target instanceof Element ? event.target.closest('a[href]') : null
      if (!(anchor instanceof HTMLAnchorElement) || !isPageHeld()) return
      const { href, target, origin, pathname, search, hash } = anchor
      const download = anchor.hasAttribute('download')
      const link = findFollowedLink(event, { href, target, origin, pathname, search, hash, download }, location)
      if (link === null) return
      event.preventDefault()
      event.stopPropagation()
      leavePage(() => openPage(link))
    }
    addEventListener('click', onClick, true)
    return () => removeEventListener('click', onClick, true)
  }, [])
  return null
}

type Click = Pick<MouseEvent, 'button' | 'metaKey' | 'ctrlKey' | 'shiftKey' | 'altKey' | 'defaultPrevented'>

type Anchor = Pick<HTMLAnchorElement, 'href' | 'target' | 'origin' | 'pathname' | 'search' | 'hash'> & { download: boolean }

/** The page of this portal to which a click leads in this window; null for other clicks, such as one that opens a window or downloads a file. */
export function findFollowedLink(click: Click, anchor: Anchor, here: Pick<Location, 'origin' | 'pathname' | 'search'>): string | null {
  const plain = click.button === 0 && !click.defaultPrevented && !click.metaKey && !click.ctrlKey && !click.shiftKey && !click.altKey
  if (!plain || anchor.origin !== here.origin || anchor.download || !['', '_self'].includes(anchor.target)) return null
  const samePage = anchor.pathname === here.pathname && anchor.search === here.search
  if (samePage || anchor.pathname.startsWith('/api/')) return null
  return `${anchor.pathname}${anchor.search}${anchor.hash}`
}
