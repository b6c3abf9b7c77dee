'use client'

import { ThemeProvider } from 'next-themes'
import { createContext, type ReactNode, use, useEffect, useLayoutEffect, useMemo, useState } from 'react'
import type { Preferences } from '@/lib/portal/identity/preferences'
import type { ShownPreferences } from '@/lib/portal/identity/shown-preferences'
import { TimeZoneContext } from '../../_ui/clock'
import { whenIdle } from '../../_ui/idle'
import { toast } from '../../_ui/toast'
import { callAction } from '../forms/call-action'
import { savePreferences } from './actions'
import { zoneCookie } from './zone-cookie'

type PreferencesState = Preferences & {
  /** Shows the change immediately and stores it with the user; if that fails, it is reverted with a message. */
  change: (next: Partial<Preferences>) => void
}

const PreferencesContext = createContext<PreferencesState | null>(null)

/** How the current user wants the portal shown. */
export function usePreferences(): PreferencesState {
  const state = use(PreferencesContext)
  if (!state) throw new Error('There are no preferences around this part of the page.')
  return state
}

/**
 * Applies theme, density and time zone to all pages. The server already renders with `first`; changes take effect immediately. Only the
 * system theme needs the script before the first paint, which has the page's nonce.
 */
export function PreferencesProvider({ first, nonce, children }: { first: ShownPreferences; nonce: string; children: ReactNode }) {
  const [shown, setShown] = useState<Preferences>(first)
  const { theme, density, timeZone } = shown
  const browserZone = useBrowserZone(first.browserZone)
  const { theme: firstTheme, density: firstDensity, timeZone: firstZone } = first
  // The user signed in, or changed it in another window.
  useEffect(() => {
    const next = { theme: firstTheme, density: firstDensity, timeZone: firstZone }
    setShown((now) => (sameAs(now, next) ? now : next))
  }, [firstTheme, firstDensity, firstZone])
  useLayoutEffect(() => {
    document.documentElement.dataset.density = density
  }, [density])
  const state = useMemo(() => {
    const before = { theme, density, timeZone }
    const change = (next: Partial<Preferences>) => {
      const after = { ...before, ...next }
      setShown(after)
      void callAction(savePreferences, after, { repeatable: true }).then((answer) => {
        if (answer.ok) return
        setShown(before)
        toast.error(`Your choice was not saved. ${answer.problem.sentence}`)
      })
    }
    return { ...before, change }
  }, [theme, density, timeZone])
  return (
    <ThemeProvider
      attribute="class"
      defaultTheme="system"
      {...(theme === 'system' ? {} : { forcedTheme: theme })}
      // The browser's own storage is not used: the choice of another user of this browser must not come back.
      storageKey="gatehouse-theme"
      enableSystem
      disableTransitionOnChange
      nonce={nonce}
    >
      <TimeZoneContext value={timeZone || browserZone}>
        <PreferencesContext value={state}>{children}</PreferencesContext>
      </TimeZoneContext>
    </ThemeProvider>
  )
}

const sameAs = (one: Preferences, other: Preferences): boolean =>
  one.theme === other.theme && one.density === other.density && one.timeZone === other.timeZone

/** The browser's own zone, which the server gets with the next request; at first the server's assumption. */
function useBrowserZone(first: string): string {
  const [zone, setZone] = useState(first)
  // Determined once the page is idle: the first use of Intl loads its tables, which takes a phone a quarter of a second.
  useEffect(
    () =>
      whenIdle(() => {
        const own = Intl.DateTimeFormat().resolvedOptions().timeZone
        const secure = location.protocol === 'https:' ? '; secure' : ''
        // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API needs https, which a portal on localhost may not use.
        document.cookie = `${zoneCookie}=${encodeURIComponent(own)}; path=/; max-age=31536000; samesite=lax${secure}`
        setZone(own)
      }),
    [],
  )
  return zone
}
