'use client'

import { useRouter } from 'next/navigation'
import { useEffect, useRef } from 'react'
import { mutate } from 'swr'
import type { AccessRequests, AccessRequestView } from '@/lib/portal/subjects/team/requests/list'
import { portalRead } from '../reads/read-address'
import { type ReadState, useRead } from '../reads/use-read'
import { formatAnswer } from './request-words'

export const accessRequestsAddress = portalRead('/api/access-requests')

const waitingMs = 4000

/** Read often while the reader waits for an answer, and else every `idleMs`. */
export function useAccessRequests(first: AccessRequests, idleMs: number): ReadState<AccessRequests> {
  const everyMs = (data: AccessRequests | null) => (data?.own.some(({ state }) => state === 'open') ? waitingMs : idleMs)
  return useRead(accessRequestsAddress, { first: { ok: true, data: first }, everyMs })
}

/**
 * Says the newest answer that arrives while the page is open, as a sentence. An approval reads the page and its data again, so that whoever
 * asked continues where they were. say: the same function at every render.
 */
export function useAnswers(own: readonly AccessRequestView[], say: (sentence: string) => void): void {
  const router = useRouter()
  const waiting = useRef<ReadonlySet<string>>(new Set())
  useEffect(() => {
    const answered = own.filter(({ id, state }) => waiting.current.has(id) && state !== 'open')
    waiting.current = new Set(own.filter(({ state }) => state === 'open').map(({ id }) => id))
    const sentence = answered.map(formatAnswer).find((each) => each !== '')
    if (sentence === undefined) return
    say(sentence)
    if (!answered.some(({ state }) => state === 'approved')) return
    router.refresh()
    void mutate((address) => typeof address === 'string' && address.startsWith('/api/'))
  }, [own, router, say])
}
