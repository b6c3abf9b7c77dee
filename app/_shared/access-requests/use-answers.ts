'use client'

import { useRouter } from 'next/navigation'
import { useEffect, useRef, useState } from 'react'
import { mutate } from 'swr'
import type { AccessRequestView } from '@/lib/portal/subjects/team/requests/list'
import { formatAnswer } from './request-words'

/**
 * The newest answer that arrived while the page was open, as a sentence; empty before. An approval reads the page and its data again, so that
 * whoever asked continues where they were.
 */
export function useAnswers(own: readonly AccessRequestView[]): string {
  const router = useRouter()
  const waiting = useRef<ReadonlySet<string>>(new Set())
  const [said, setSaid] = useState('')
  useEffect(() => {
    const answered = own.filter(({ id, state }) => waiting.current.has(id) && state !== 'open')
    waiting.current = new Set(own.filter(({ state }) => state === 'open').map(({ id }) => id))
    const newest = answered[0]
    if (!newest) return
    setSaid(formatAnswer(newest))
    if (!answered.some(({ state }) => state === 'approved')) return
    router.refresh()
    void mutate((address) => typeof address === 'string' && address.startsWith('/api/'))
  }, [own, router])
  return said
}
