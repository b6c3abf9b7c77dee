import type { Metadata, Viewport } from 'next'
import { headers } from 'next/headers'
import type { ReactNode } from 'react'
import { Theme } from './_shared/theme'
import { codeFont, textFont } from './fonts'
import './globals.css'

export const metadata: Metadata = {
  title: { default: 'Gatehouse', template: '%s · Gatehouse' },
  robots: { index: false, follow: false },
}

export const viewport: Viewport = {
  width: 'device-width',
  initialScale: 1,
  viewportFit: 'cover',
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: '#f6f7f5' },
    { media: '(prefers-color-scheme: dark)', color: '#10181b' },
  ],
}

const readNonce = (policy: string | null): string => /'nonce-([^']+)'/.exec(policy ?? '')?.[1] ?? ''

/** Asking for the nonce makes every page dynamic, which a nonce needs: a prerendered page would carry an old one. */
export default async function RootLayout({ children }: { children: ReactNode }) {
  const nonce = readNonce((await headers()).get('content-security-policy'))
  return (
    <html lang="en" className={`${textFont.variable} ${codeFont.variable}`} suppressHydrationWarning>
      <body className="bg-bg text-ink antialiased">
        <Theme nonce={nonce}>{children}</Theme>
      </body>
    </html>
  )
}
