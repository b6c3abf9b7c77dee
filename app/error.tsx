'use client'

import { FailedPage } from './_shared/frame/failed-page'

export default function ErrorPage({ error, retry }: { error: unknown; retry: () => void }) {
  return <FailedPage error={error} retry={retry} />
}
