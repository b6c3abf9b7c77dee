'use client'

import { useEffect } from 'react'
import { openPage } from '../../_ui/opening'
import { findFollowedLink } from './followed-link'
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
