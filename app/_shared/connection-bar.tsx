'use client'

import Link from 'next/link'
import { useEffect } from 'react'
import { useNow } from '../_ui/clock'
import { reportLink, usePortalLink } from './portal-link'

const retryMs = 4000

/** A thin bar while the portal cannot be reached or has signed us out. What is on the page stays readable. */
export function ConnectionBar() {
  const link = usePortalLink()
  const now = useNow(1000)
  useEffect(() => {
    const lost = () => reportLink('lost')
    addEventListener('offline', lost)
    addEventListener('online', askHealth)
    return () => {
      removeEventListener('offline', lost)
      removeEventListener('online', askHealth)
    }
  }, [])
  useEffect(() => {
    if (link !== 'lost') return
    const timer = setInterval(askHealth, retryMs)
    return () => clearInterval(timer)
  }, [link])
  const seconds = retryMs / 1000 - (Math.floor((now ?? 0) / 1000) % (retryMs / 1000))
  return (
    <div role="status" className="sticky top-0 z-30">
      {link === 'up' ? null : (
        <p className="flex min-h-8 items-center justify-center gap-2 bg-warn-bg px-4 py-1 text-small font-semibold text-warn">
          {link === 'lost' ? (
            <>
              Connection lost. <span aria-hidden>Trying again in {seconds} s.</span>
            </>
          ) : (
            <>
              You are signed out.
              <Link href="/sign-in" className="inline-flex min-h-6 items-center underline">
                Sign in again
              </Link>
            </>
          )}
        </p>
      )}
    </div>
  )
}

function askHealth(): void {
  fetch('/api/health', { cache: 'no-store' }).then(
    () => reportLink('up'),
    () => undefined,
  )
}
