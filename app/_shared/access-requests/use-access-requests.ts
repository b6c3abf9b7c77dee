'use client'

import type { AccessRequests } from '@/lib/portal/subjects/team/requests/list'
import { portalRead } from '../reads/read-address'
import { type ReadState, useRead } from '../reads/use-read'

export const accessRequestsAddress = portalRead('/api/access-requests')

const waitingMs = 4000

/** Read often while the reader waits for an answer, and else every `idleMs`. */
export function useAccessRequests(first: AccessRequests, idleMs: number): ReadState<AccessRequests> {
  const everyMs = (data: AccessRequests | null) => (data?.own.some(({ state }) => state === 'open') ? waitingMs : idleMs)
  return useRead(accessRequestsAddress, { first: { ok: true, data: first }, everyMs })
}
