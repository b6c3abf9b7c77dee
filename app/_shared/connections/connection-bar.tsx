'use client'

import { clsx } from 'clsx'
import { useRouter } from 'next/navigation'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useSWRConfig } from 'swr'
import { addReturnPath } from '@/app/_shared/session/sign-in-request'
import { useBrowserValue } from '../../_ui/browser-value'
import { useNow } from '../../_ui/clock'
import { portalUnreachable } from '../forms/portal-problems'
import { forgetSignedOut, keepOwnBuild, type PortalLink, probePortal, reportLink, usePortalLink } from '../frame/portal-link'
import { forgetStays, useStayed } from '../leaving/hold'
import { read } from '../reads/read'
import { countsAddress } from '../reads/use-counts'

const retryMs = 4000
/** How long the page says that the portal answers again. */
const backMs = 6000

/**
 * A thin bar while the portal cannot be reached, has signed us out or was upgraded. The page stays readable, and typed text stays.
 */
export function ConnectionBar({ build }: { build: string }) {
  const { link, outdated } = usePortalLink()
  const isBack = useIsBack(link)
  useEffect(() => keepOwnBuild(build), [build])
  useRetries(link)
  useFreshReads(link)
  return (
    <div role="status" className="sticky top-0 z-30">
      {link === 'lost' ? <Lost /> : null}
      {link === 'signed-out' ? (
        <Bar>
          Your session has ended.
          {/* Not a <Link>: leaving must also discard what this page holds about the signed-in user. */}
          <a href="/sign-in" onClick={addReturnPath} className={way}>
            Sign in again
          </a>
        </Bar>
      ) : null}
      {link === 'up' && !outdated && isBack ? <Bar tone="ok">Gatehouse is reachable again.</Bar> : null}
      {link === 'up' && outdated ? (
        <Bar>
          Gatehouse was updated.
          <button type="button" onClick={() => location.reload()} className={way}>
            Reload page
          </button>
        </Bar>
      ) : null}
    </div>
  )
}

const way = 'inline-flex min-h-6 items-center underline'

const tones = { warn: 'bg-warn-bg text-warn', ok: 'bg-ok-bg text-ok' }

const Bar = ({ tone = 'warn', children }: { tone?: keyof typeof tones; children: ReactNode }) => (
  <p className={clsx('flex min-h-8 flex-wrap items-center justify-center gap-x-2 px-4 py-1 text-small font-semibold', tones[tone])}>
    {children}
  </p>
)

/** For a moment after the portal could not be reached. */
function useIsBack(link: PortalLink): boolean {
  const [isBack, setBack] = useState(false)
  const before = useRef(link)
  useEffect(() => {
    const lost = before.current === 'lost'
    before.current = link
    if (link !== 'up' || !lost) return
    forgetStays()
    setBack(true)
    const timer = setTimeout(setBack, backMs, false)
    return () => {
      clearTimeout(timer)
      setBack(false)
    }
  }, [link])
  return isBack
}

function Lost() {
  const now = useNow(1000)
  const online = useOnline()
  const stays = useStayed() ? ' The other page was not opened, so that this one stays.' : ''
  const seconds = retryMs / 1000 - (Math.floor((now ?? 0) / 1000) % (retryMs / 1000))
  if (!online) return <Bar>You are offline. This page updates when you are back online.{stays}</Bar>
  return (
    <Bar>
      {portalUnreachable.sentence}
      {stays} <span aria-hidden>Retrying in {seconds} s.</span>
    </Bar>
  )
}

function subscribeOnline(listener: () => void): () => void {
  addEventListener('online', listener)
  addEventListener('offline', listener)
  return () => {
    removeEventListener('online', listener)
    removeEventListener('offline', listener)
  }
}

const useOnline = (): boolean => useBrowserValue(subscribeOnline, () => navigator.onLine, true)

/** Notices when the browser goes offline or online, and retries while there is no answer or no session. */
function useRetries(link: PortalLink): void {
  useEffect(() => {
    const off = () => reportLink('lost')
    const on = () => void probePortal()
    addEventListener('offline', off)
    addEventListener('online', on)
    // It may have gone offline before this page listened.
    if (!navigator.onLine) void probePortal()
    return () => {
      removeEventListener('offline', off)
      removeEventListener('online', on)
    }
  }, [])
  useEffect(() => {
    if (link === 'up') return
    const retry = link === 'lost' ? probePortal : askSession
    const timer = setInterval(() => document.visibilityState === 'visible' && void retry(), retryMs)
    return () => clearInterval(timer)
  }, [link])
}

/** The user may have signed in again in another window: any read shows that. */
const askSession = (): Promise<unknown> => read(countsAddress).catch(() => undefined)

/** Once the portal answers again, everything on the page is refreshed immediately, including what the server rendered. */
function useFreshReads(link: PortalLink): void {
  const { mutate } = useSWRConfig()
  const router = useRouter()
  const before = useRef<PortalLink>('up')
  useEffect(forgetSignedOut, [])
  useEffect(() => {
    if (before.current !== 'up' && link === 'up') {
      void mutate(() => true)
      // A refresh that fails, or finds the session ended, would discard the page with everything typed on it.
      void read(countsAddress).then(
        () => router.refresh(),
        () => undefined,
      )
    }
    before.current = link
  }, [link, mutate, router])
}
