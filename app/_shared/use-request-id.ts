'use client'

import { useEffect, useRef } from 'react'

/** An id for what is sent once and not again, such as an Undo. */
export const freshId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')

/**
 * The id under which a form is sent: the same until it was answered, so that a request which reaches the portal twice
 * is done once. Call what it returns when sending.
 */
export function useRequestId(answer: unknown): () => string {
  const id = useRef('')
  useEffect(() => {
    if (answer) id.current = ''
  }, [answer])
  return () => {
    id.current ||= freshId()
    return id.current
  }
}
