'use client'

import { usePathname, useRouter } from 'next/navigation'
import { useEffect, useLayoutEffect, useRef, useState, useTransition } from 'react'
import { noteArrival, offerOpening, setOpeningPage } from '@/app/_ui/opening'
import { Waiting } from '../../_ui/skeleton'
import { probePortal, usePortalLink } from '../frame/portal-link'
import { noteStay } from '../leaving/hold'
import { holdLoads } from './page-loads'
import { PageSkeleton } from './page-skeleton'
import { type Shape, shapeOf, sharesHead } from './shapes'
import { useArrivals } from './use-arrivals'

/** below: where the head that both pages share ends, in pixels from the frame's edges; null if they share none. */
type Asked = { href: string; shape: Shape; below: { top: number; left: number; right: number } | null }

/** A page that takes longer: the portal is asked whether it answers at all. */
const slowMs = 5000

/**
 * Opens pages. Until the portal answers, the skeleton of the new page covers the current one, which stays unchanged underneath: what was
 * typed on it is kept if the answer never comes, and its scroll position is kept for Back.
 */
export function OpeningPage() {
  const router = useRouter()
  const path = usePathname()
  const [asked, setAsked] = useState<Asked | null>(null)
  const [pending, start] = useTransition()
  useEffect(
    () =>
      offerOpening((href) => {
        noteArrival()
        const { pathname } = new URL(href, location.href)
        setAsked({ href, shape: shapeOf(pathname), below: sharesHead(path, pathname) ? measureHead() : null })
        start(() => router.push(href))
      }),
    [router, path],
  )
  useArrivals()
  useStaying(pending, () => {
    if (pending && asked) noteStay()
    setAsked(null)
  })
  const shown = pending ? asked : null
  const href = shown?.href ?? null
  useLayoutEffect(() => setOpeningPage(href), [href])
  return shown && <Cover key={shown.href} {...shown} />
}

/** Stays on the page if a requested one is not answered, and refreshes it once the portal is reachable again. */
function useStaying(pending: boolean, onStay: () => void): void {
  const router = useRouter()
  const { link } = usePortalLink()
  const stays = useRef(false)
  const stay = useRef(onStay)
  stay.current = onStay
  useEffect(() => {
    const onLost = () => {
      stays.current = true
      stay.current()
    }
    // Not in every browser; there, the browser's error page replaces this one.
    return 'navigation' in globalThis ? holdLoads(navigation, probePortal, onLost) : undefined
  }, [])
  useEffect(() => {
    if (!pending) return
    // Next begins the load of one address only once, so the second time only this notices that there is no answer.
    const timer = setInterval(() => void probePortal(), slowMs)
    return () => clearInterval(timer)
  }, [pending])
  useEffect(() => {
    if (link === 'lost' && pending) {
      stays.current = true
      stay.current()
    }
    if (link !== 'up' || !stays.current) return
    stays.current = false
    // Replaces the navigation that was not answered, which Next would otherwise wait for.
    router.replace(`${location.pathname}${location.search}`, { scroll: false })
  }, [link, pending, router])
}

/** The edges of the page's head, relative to the frame; null for a page without a head. */
function measureHead(): Asked['below'] {
  const content = document.getElementById('content')
  const head = content?.querySelector('header')
  const frame = content?.offsetParent
  if (!head || !frame) return null
  const [outer, inner] = [frame.getBoundingClientRect(), head.getBoundingClientRect()]
  return { top: inner.bottom - outer.top, left: inner.left - outer.left, right: outer.right - inner.right }
}

function Cover({ href, shape, below }: Asked) {
  return (
    <div data-opening={href} className="absolute inset-0 z-10 animate-open bg-bg" style={below ?? undefined}>
      {/* Stays in the window, wherever the page underneath is scrolled to. */}
      <div className="sticky top-0 h-dvh overflow-hidden">
        <PageSkeleton
          shape={shape}
          headless={below !== null}
          waiting={<Waiting description={shape.title === '' ? 'Opening the page.' : `Opening ${shape.title}.`} />}
        />
      </div>
    </div>
  )
}
