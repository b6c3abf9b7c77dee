'use client'

import { LazyFailedPage } from './_shared/frame/lazy-failed-page'

export default function ErrorPage({ error, retry }: { error: unknown; retry: () => void }) {
  return <LazyFailedPage error={error} retry={retry} />
}
