'use client'

import { FailedPage } from './_shared/frame/failed-page'
import './globals.css'

/** Shown when even the root layout failed. */
export default function GlobalError({ error, retry }: { error: unknown; retry: () => void }) {
  return (
    <html lang="en">
      <body className="bg-bg text-ink antialiased">
        <title>Error · Gatehouse</title>
        <main className="mx-auto w-fit">
          <FailedPage error={error} retry={retry} />
        </main>
      </body>
    </html>
  )
}
