'use client'

import { usePathname, useRouter, useSearchParams } from 'next/navigation'
import { useEffect, useLayoutEffect, useRef, useState, useTransition } from 'react'
import { noteArrival, noteReturn, offerOpening, setOpeningPage } from '@/app/_ui/opening'
import { Waiting } from '../../_ui/skeleton'
import { probePortal, usePortalLink } from '../frame/portal-link'
import { noteStay } from '../leaving/hold'
import { PageSkeleton } from './page-skeleton'
import { type Shape, shapeOf, sharesHead } from './shapes'

/** How long it tries to scroll back: a page has read its content by then. */
const longestMs = 1000

/** The key of the current history entry; null without the Navigation API: then the browser restores the position as far as it can. */
const readEntry = (): string | null => ('navigation' in globalThis ? (navigation.currentEntry?.key ?? null) : null)

/**
 * Tells pages whether they were reached by Back or Forward, and scrolls them to where they were left. Browsers do that too early, before a
 * long list has its full length again.
 */
function useArrivals(): void {
  const path = usePathname()
  const query = useSearchParams().toString()
  const [places] = useState(() => new Map<string, number>())
  const wanted = useRef<number | null>(null)
  useEffect(() => {
    const onReturn = () => {
      noteReturn()
      const isShown = location.pathname === path && new URLSearchParams(location.search).toString() === query
      wanted.current = isShown ? null : (places.get(readEntry() ?? '') ?? null)
    }
    const onScroll = () => {
      const entry = readEntry()
      if (entry !== null && wanted.current === null) places.set(entry, scrollY)
    }
    // Before Next's own listener, which renders the page.
    addEventListener('popstate', onReturn, true)
    addEventListener('scroll', onScroll, { passive: true })
    return () => {
      removeEventListener('popstate', onReturn, true)
      removeEventListener('scroll', onScroll)
    }
  }, [places, path, query])
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when another page is there
  useLayoutEffect(() => {
    const place = wanted.current
    if (place === null) return
    return scrollBack(place, () => {
      wanted.current = null
    })
  }, [path, query])
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when another page is there, after its own first effects
  useEffect(noteArrival, [path, query])
}

/** Scrolls until the page is long enough, or the reader scrolls. The returned function stops it. */
function scrollBack(place: number, onEnd: () => void): () => void {
  const latest = performance.now() + longestMs
  let frame = 0
  const end = () => {
    cancelAnimationFrame(frame)
    removeEventListener('wheel', end)
    removeEventListener('touchstart', end)
    removeEventListener('keydown', end)
    onEnd()
  }
  const step = () => {
    scrollTo({ top: place, behavior: 'instant' })
    if (Math.abs(scrollY - place) <= 1 || performance.now() > latest) end()
    else frame = requestAnimationFrame(step)
  }
  addEventListener('wheel', end, { passive: true })
  addEventListener('touchstart', end, { passive: true })
  addEventListener('keydown', end)
  step()
  return end
}

/**
 * Loads of pages that scripts begin. Next begins one if its own request for a page was not answered, and if the answer is of another build. If
 * the portal is unreachable, the browser's error page would replace this page and everything typed on it.
 */

type Loads = Pick<Navigation, 'addEventListener' | 'removeEventListener' | 'navigate'>

/** A link or form that the user used, Back, a reload, a download and what stays in this document are none. */
const isBegunByScript = (event: NavigateEvent): boolean =>
  event.cancelable &&
  !event.userInitiated &&
  !event.hashChange &&
  event.downloadRequest === null &&
  !event.destination.sameDocument &&
  (event.navigationType === 'push' || event.navigationType === 'replace')

/**
 * Begins such a load only if `isReachable` says so, else calls `onLost`. Browsers without the Navigation API begin it at once. Until the
 * returned function is called.
 */
export function holdLoads(loads: Loads, isReachable: () => Promise<boolean>, onLost: () => void): () => void {
  let allowed: string | null = null
  const onNavigate = (event: NavigateEvent) => {
    const { url } = event.destination
    if (!isBegunByScript(event) || url === allowed) return
    event.preventDefault()
    const history = event.navigationType === 'replace' ? 'replace' : 'push'
    void isReachable().then((reachable) => {
      if (!reachable) return onLost()
      allowed = url
      loads.navigate(url, { history })
    })
  }
  loads.addEventListener('navigate', onNavigate)
  return () => loads.removeEventListener('navigate', onNavigate)
}

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
