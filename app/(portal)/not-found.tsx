import type { Metadata } from 'next'
import { NotFoundPage } from '@/app/_shared/frame/message-page'

export const metadata: Metadata = { title: 'Not found' }

export default function NotFound() {
  return (
    <NotFoundPage
      title="Nothing found at this address"
      description={<p>It was deleted, never existed, or you don’t have access to it.</p>}
    />
  )
}
