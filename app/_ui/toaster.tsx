'use client'

import { useTheme } from 'next-themes'
import { useEffect } from 'react'
import { Toaster as Shower, toast } from 'sonner'

/** Toasts at the bottom right; they report what was done, never a secret. */
export function Toaster({ onReady }: { onReady: (show: typeof toast) => void }) {
  const { resolvedTheme, forcedTheme } = useTheme()
  // Runs after the effect of the toaster inside, which listens from then on.
  useEffect(() => onReady(toast), [onReady])
  return (
    <Shower
      theme={(forcedTheme ?? resolvedTheme) === 'dark' ? 'dark' : 'light'}
      position="bottom-right"
      visibleToasts={3}
      // A bar at the bottom of the window sets how much space it takes.
      offset={{ bottom: 'max(24px, var(--toast-room, 0px))' }}
      mobileOffset={{ bottom: 'max(72px, var(--toast-room, 0px))' }}
      toastOptions={{
        unstyled: true,
        classNames: {
          toast:
            'flex w-[356px] max-w-full items-center gap-3 rounded-sheet border border-line bg-surface font-sans px-4 py-3 text-body text-ink shadow-float',
          content: 'min-w-0 grow',
          title: 'text-body',
          error: 'text-danger',
          actionButton: 'ml-auto inline-flex min-h-8 shrink-0 items-center rounded-control px-2 font-semibold text-accent',
        },
      }}
    />
  )
}
