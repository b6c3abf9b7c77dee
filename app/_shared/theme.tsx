'use client'

import { ThemeProvider } from 'next-themes'
import type { ReactNode } from 'react'

/** System, light or dark, set before the first paint by a script that carries the page's nonce. */
export function Theme({ nonce, children }: { nonce: string; children: ReactNode }) {
  return (
    <ThemeProvider attribute="class" defaultTheme="system" enableSystem disableTransitionOnChange nonce={nonce}>
      {children}
    </ThemeProvider>
  )
}
