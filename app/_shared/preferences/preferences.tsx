'use client'

import { ThemeProvider } from 'next-themes'
import { createContext, type ReactNode, use, useEffect, useLayoutEffect, useMemo, useState } from 'react'
import type { Preferences } from '@/lib/portal/identity/preferences'
import type { ShownPreferences } from '@/lib/portal/identity/shown-preferences'
import { whenIdle } from '../../_ui/idle'
import { TimeZoneContext } from '../../_ui/time-zone'
import { toast } from '../../_ui/toast'
import { callAction } from '../call-action'
import { savePreferences } from './actions'
import { zoneCookie } from './zone-cookie'

type PreferencesState = Preferences & {
  /** Shows the change at once and keeps it with the person; what cannot be kept is taken back, and says so. */
  change: (next: Partial<Preferences>) => void
}

const PreferencesContext = createContext<PreferencesState | null>(null)

/** How the person in front of the page likes it shown. */
export function usePreferences(): PreferencesState {
  const state = use(PreferencesContext)
  if (!state) throw new Error('There are no preferences around this part of the page.')
  return state
}

/**
 * Puts theme, density and time zone over all pages. The server paints with `first` already; what the person changes is
 * shown at once. Only "as the system" needs the script before the first paint, which carries the page's nonce.
 */
export function PreferencesProvider({ first, nonce, children }: { first: ShownPreferences; nonce: string; children: ReactNode }) {
  const [shown, setShown] = useState<Preferences>(first)
  const { theme, density, timeZone } = shown
  const browserZone = useBrowserZone(first.browserZone)
  const { theme: firstTheme, density: firstDensity, timeZone: firstZone } = first
  // Somebody signed in, or the choice came from another window.
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
        toast.error(`Your choice was not kept. ${answer.problem.sentence}`)
      })
    }
    return { ...before, change }
  }, [theme, density, timeZone])
  return (
    <ThemeProvider
      attribute="class"
      defaultTheme="system"
      {...(theme === 'system' ? {} : { forcedTheme: theme })}
      // The browser's own store is left alone: a choice of somebody else who used it must not come back.
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

/** The browser's own zone, which the server is told for its next page; at first what the server took it for. */
function useBrowserZone(first: string): string {
  const [zone, setZone] = useState(first)
  // Asked once the page is quiet: the first use of Intl loads its tables, which takes a phone a quarter of a second.
  useEffect(
    () =>
      whenIdle(() => {
        const own = Intl.DateTimeFormat().resolvedOptions().timeZone
        const secure = location.protocol === 'https:' ? '; secure' : ''
        // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API needs https, which a portal on its own machine has not.
        document.cookie = `${zoneCookie}=${encodeURIComponent(own)}; path=/; max-age=31536000; samesite=lax${secure}`
        setZone(own)
      }),
    [],
  )
  return zone
}
