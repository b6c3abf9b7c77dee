'use client'

import { usePathname, useRouter, useSearchParams } from 'next/navigation'
import { useEffect, useLayoutEffect, useRef, useState, useTransition } from 'react'
import { noteArrival, noteReturn } from '../../_ui/arrival'
import { offerOpening, setOpeningPage } from '../../_ui/opening'
import { Waiting } from '../../_ui/skeleton'
import { reportLink, usePortalLink } from '../frame/portal-link'
import { noteStay } from '../leaving/hold'
import { PageSkeleton } from './page-skeleton'
import { type Shape, shapeOf, sharesHead } from './shapes'

/** below: the end of the head that the present page shares with it, and its distance from the sides, in pixels; null if it has its own. */
type Asked = { href: string; shape: Shape; below: { top: number; left: number; right: number } | null }

/**
 * Opens pages. Until the answer is there, the skeleton of the new page covers the present one, which stays as it is underneath: with what is
 * typed on it if the answer never comes, and scrolled as it was for Back.
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
  useStaying(() => {
    if (pending && asked) noteStay()
    setAsked(null)
  })
  const shown = pending ? asked : null
  const href = shown?.href ?? null
  useLayoutEffect(() => setOpeningPage(href), [href])
  return shown && <Cover key={shown.href} {...shown} />
}

/** Stays on the page if one that was asked for is not answered; once the portal answers again, this page is read anew. */
function useStaying(onStay: () => void): void {
  const router = useRouter()
  const { link } = usePortalLink()
  const stays = useRef(false)
  const stay = useRef(onStay)
  stay.current = onStay
  useEffect(() => {
    const send = window.fetch
    window.fetch = keepingPage(send, () => {
      stays.current = true
      reportLink('lost')
      stay.current()
    })
    return () => {
      window.fetch = send
    }
  }, [])
  useEffect(() => {
    if (link !== 'up' || !stays.current) return
    stays.current = false
    // Replaces what was asked for in vain, which would otherwise be waited for.
    router.replace(`${location.pathname}${location.search}`, { scroll: false })
  }, [link, router])
}

/** Relative to the frame's part for pages; null for a page without a head. */
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
      {/* In the window, wherever the page underneath is scrolled to. */}
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

/**
 * The requests that Next sends for pages. Where one is not answered, Next leaves for that address by the browser, whose error page would
 * replace this one and everything typed on it.
 */

const gatewayFailures = new Set([502, 503, 504])

const isForPage = (init: RequestInit | undefined): boolean => new Headers(init?.headers).get('rsc') === '1'

/**
 * `send`, but a page that is not answered stays unanswered, and `onLost` is called instead. Aborted requests, and requests for anything but
 * pages, are left as they are.
 */
export function keepingPage(send: typeof fetch, onLost: () => void): typeof fetch {
  return async (input, init) => {
    if (!isForPage(init)) return send(input, init)
    const answer = await send(input, init).catch((error: unknown) => {
      if (init?.signal?.aborted) throw error
      return null
    })
    if (answer && !gatewayFailures.has(answer.status)) return answer
    onLost()
    return new Promise(() => undefined)
  }
}

/** Within this time what a page reads has made it as long as it was. */
const longestMs = 1000

/** Of the present entry of the window's history; null where browsers do not name them, which then restore the place alone, as far as they can. */
const readEntry = (): string | null => ('navigation' in globalThis ? (navigation.currentEntry?.key ?? null) : null)

/**
 * Says to pages whether they were reached by Back or Forward, and scrolls them to where they were left: browsers do that before a long list
 * is as long again.
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

/** Until the page is long enough, or the reader scrolls. The returned function ends it. */
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
