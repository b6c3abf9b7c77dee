'use client'

import { useRouter } from 'next/navigation'
import { useEffect, useRef } from 'react'
import { mutate } from 'swr'
import type { AccessRequests, AccessRequestView } from '@/lib/portal/subjects/team/requests/list'
import { formatAccess, formatWork, type GivenWork } from '@/lib/text/access'
import { formatMinutes } from '@/lib/text/access-requests'
import type { Tone } from '../../_ui/state-chip'
import { portalRead } from '../reads/read-address'
import { type ReadState, useRead } from '../reads/use-read'

// Requests for access as sentences of pages.

type Asked = { subject: string; effects: readonly string[]; root: boolean }

const workOfAsked = ({ subject, effects, root }: Asked): GivenWork => ({ subjects: [subject], effects, operations: [], root })

/** "View and change the backups". */
export function formatChoice(asked: Asked): string {
  const said = formatWork(workOfAsked(asked))
  return `${said.charAt(0).toUpperCase()}${said.slice(1)}`
}

type WholeRequest = Pick<AccessRequestView, 'subject' | 'effects' | 'root' | 'place' | 'wanted' | 'minutes'>

/** "view and change the backups of shop.example, for 1 hour". */
export function formatAsked(request: WholeRequest): string {
  const { place, wanted, minutes } = request
  return `${place === null ? `get access to “${wanted}”` : formatAccess(workOfAsked(request), [place])}, ${formatMinutes(minutes)}`
}

/** What is asked for, as the name of a request. */
export const nameOfRequest = (request: WholeRequest): string => (request.place === null ? request.wanted : formatChoice(request))

export const stateWords: Readonly<Record<AccessRequestView['state'], { label: string; tone: Tone }>> = {
  open: { label: 'Waiting', tone: 'accent' },
  approved: { label: 'Approved', tone: 'done' },
  refused: { label: 'Refused', tone: 'danger' },
  withdrawn: { label: 'Withdrawn', tone: 'neutral' },
  expired: { label: 'Not answered', tone: 'neutral' },
  closed: { label: 'Closed', tone: 'neutral' },
}

/** "Mira lends", "Mira or Ada lends", "Mira or you lend". */
export const formatLenders = (names: readonly string[]): string =>
  `${names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`} ${names.at(-1) === 'you' ? 'lend' : 'lends'}`

/** What became of a request, for whoever asked. */
export function formatAnswer(request: AccessRequestView): string {
  const { state, answeredBy, reason } = request
  const by = answeredBy || 'Somebody'
  if (state === 'approved') {
    const later = request.lenders.length === 0 ? '' : ` You can use it once ${formatLenders(request.lenders)} you a connection for it.`
    return `${by} approved your request to ${formatAsked(request)}.${later}`
  }
  if (state === 'refused') return `${by} refused your request to ${formatAsked(request)}. Reason: ${reason}`
  if (state === 'expired') return `Nobody answered your request to ${formatAsked(request)}.`
  return ''
}

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
