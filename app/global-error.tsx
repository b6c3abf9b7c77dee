'use client'

import { LazyFailedPage } from './_shared/frame/lazy-failed-page'
import './globals.css'

/** Shown when even the root layout failed. */
export default function GlobalError({ error, retry }: { error: unknown; retry: () => void }) {
  return (
    <html lang="en">
      <body className="bg-bg text-ink antialiased">
        <title>Error · Gatehouse</title>
        <main className="mx-auto w-fit">
          <LazyFailedPage error={error} retry={retry} />
        </main>
      </body>
    </html>
  )
}
