'use client'

/** Whether this page may be left: not while the portal cannot be reached, and only with a question while the page holds something. */

import { useEffect, useRef, useState } from 'react'
import { createSharedValue } from '../../_ui/browser-value'
import { Button } from '../../_ui/button'
import { Dialog, DialogActions } from '../../_ui/dialog'
import { openPage } from '../../_ui/opening'
import { isPortalReachable } from '../frame/portal-link'

/** Asks whether to leave; `go` leaves. */
type Ask = (go: () => void) => void

const holds: Ask[] = []
const stayed = createSharedValue(false)

/** Whether a click would have left the page since the portal cannot be reached. */
export const useStayed = stayed.useValue
export const readStayed = stayed.read

/** The page was not left because the portal cannot be reached. */
export const noteStay = (): void => stayed.set(true)

/** The portal can be reached again. */
export const forgetStays = (): void => stayed.set(false)

/** Asks before the page is left, by a link, by Back, or by closing it, where only the browser can ask. Until the returned function is called. */
export function holdPage(ask: Ask): () => void {
  holds.push(ask)
  const onUnload = (event: BeforeUnloadEvent) => event.preventDefault()
  const onNavigate = (event: NavigateEvent) => {
    if (event.navigationType !== 'traverse' || !event.cancelable) return
    event.preventDefault()
    const { key } = event.destination
    ask(() => navigation.traverseTo(key))
  }
  // Not in every browser; there, Back leaves without a question.
  const traversals = 'navigation' in globalThis ? navigation : null
  addEventListener('beforeunload', onUnload)
  traversals?.addEventListener('navigate', onNavigate)
  return () => {
    const at = holds.indexOf(ask)
    if (at >= 0) holds.splice(at, 1)
    removeEventListener('beforeunload', onUnload)
    traversals?.removeEventListener('navigate', onNavigate)
  }
}

export const isPageHeld = (): boolean => !isPortalReachable() || holds.length > 0

/** The way for everything that goes to another page: goes, asks, or stays and says so. */
export function leavePage(go: () => void): void {
  const ask = holds.at(-1)
  if (!isPortalReachable()) noteStay()
  else if (ask) ask(go)
  else go()
}

type Question = { title: string; description: string }

/** While it is on the page, leaving asks first. */
export function AskLeave(question: Question) {
  const [go, setGo] = useState<(() => void) | null>(null)
  const release = useRef(() => {})
  useEffect(() => {
    release.current = holdPage((leave) => setGo(() => leave))
    return () => release.current()
  }, [])
  if (!go) return null
  const leave = () => {
    setGo(null)
    release.current()
    go()
  }
  return <LeaveQuestion {...question} onStay={() => setGo(null)} onLeave={leave} />
}

/** Whether to leave something that is lost then. */
export const LeaveQuestion = ({ title, description, onStay, onLeave }: Question & { onStay: () => void; onLeave: () => void }) => (
  <Dialog open onOpenChange={onStay} title={title} description={description}>
    <div className="mt-6">
      <DialogActions>
        <Button onClick={onLeave}>Leave</Button>
        <Button variant="primary" onClick={onStay}>
          Stay
        </Button>
      </DialogActions>
    </div>
  </Dialog>
)

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
