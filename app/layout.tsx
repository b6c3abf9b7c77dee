import { clsx } from 'clsx'
import type { Metadata, Viewport } from 'next'
import { cookies, headers } from 'next/headers'
import type { ReactNode } from 'react'
import { readShownPreferences } from '@/lib/portal/identity/shown-preferences'
import { PreferencesProvider } from './_shared/preferences/preferences'
import { zoneCookie } from './_shared/preferences/zone-cookie'
import { earlyClickScript } from './_ui/early-click'
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

/** Reading the nonce makes every page dynamic, as it must be: a prerendered page would contain an old nonce. */
export default async function RootLayout({ children }: { children: ReactNode }) {
  const nonce = readNonce((await headers()).get('content-security-policy'))
  const preferences = await readShownPreferences((await cookies()).get(zoneCookie)?.value)
  return (
    <html
      lang="en"
      data-density={preferences.density}
      className={clsx(textFont.variable, codeFont.variable, preferences.theme !== 'system' && preferences.theme)}
      suppressHydrationWarning
    >
      <body className="bg-bg text-ink antialiased">
        <script nonce={nonce}>{earlyClickScript}</script>
        <PreferencesProvider first={preferences} nonce={nonce}>
          {children}
        </PreferencesProvider>
      </body>
    </html>
  )
}
