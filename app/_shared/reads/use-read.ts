'use client'

import { useLayoutEffect, useMemo, useRef } from 'react'
import useSWR, { mutate, useSWRConfig } from 'swr'
import type { Cut, Outcome, Problem } from '@/lib/contract/problem'
import { type Read, ReadFailure, read } from './read'
import { type AnyRead, type OperationReads, operationRead, type ReadAddress, type ReadId } from './read-address'

export type ReadState<T> = {
  /** The newest data, kept while later reads fail; null before the first. */
  data: T | null
  /** ms since 1970 */
  readAt: number | null
  /** Set if a list in the data was truncated. */
  cut: Cut | null
  /** How many items of its lists could not be read. */
  unreadable: number
  /** Why the newest read failed. */
  problem: Problem | null
  /** When it is retried after such a problem, if the other side said so: ms since 1970. */
  retryAt: number | null
  reading: boolean
  again: () => void
}

type ReadOptions<T> = {
  /** What the server found at first paint. */
  first?: Outcome<T>
  /** Polled only while the page is visible; the interval may depend on what was read last. */
  everyMs: number | ((data: T | null) => number)
}

const nothingFound = { data: undefined, cut: null, unreadable: 0 }

/** Data from one of the portal's read addresses, refreshed while the page is visible. */
export function useRead<T>(url: ReadAddress<T>, { first, everyMs }: ReadOptions<T>): ReadState<T> {
  const { data: found, cut = null, unreadable = 0 } = first?.ok ? first : nothingFound
  // By what was found, not by what it is wrapped in: a page may wrap it again each time it is rendered.
  const firstRead = useMemo<Read<T> | undefined>(
    () => (found === undefined ? undefined : { data: found, readAt: Date.now(), cut, unreadable }),
    [found, cut, unreadable],
  )
  const pace = (known?: Read<T>) => (typeof everyMs === 'number' ? everyMs : everyMs(known?.data ?? null))
  const { data, error, isValidating, mutate } = useSWR<Read<T>, ReadFailure, ReadAddress<T>>(url, read, {
    ...(firstRead ? { fallbackData: firstRead } : {}),
    refreshInterval: pace,
    dedupingInterval: Math.min(2000, pace(firstRead) / 2),
    // The server has just read it; polling repeats soon enough.
    revalidateOnMount: first === undefined,
    // After a failure only this retries: at the polling interval, or later if the other side asks for that.
    onErrorRetry: (failure, _url, _options, revalidate, { retryCount }) => {
      setTimeout(() => void revalidate({ retryCount }), Math.max(pace(firstRead), (failure.retryAt ?? 0) - Date.now()))
    },
  })
  const { cache } = useSWRConfig()
  // What the server rendered is newer than what an earlier page left in the cache; an empty cache needs no re-rendering. A page may
  // have been rendered before the newest read or change, though: then only another read shows the present state.
  const rendered = useRef<string | null>(null)
  useLayoutEffect(() => {
    const left = cache.get(url)
    const refreshed = rendered.current === url
    rendered.current = url
    if (!firstRead || (left?.data === undefined && left?.error === undefined)) return
    void (refreshed ? mutate() : mutate(firstRead, { revalidate: false }))
  }, [firstRead, mutate, cache, url])
  const firstProblem = first && !first.ok && !data ? first.problem : null
  return {
    data: data?.data ?? null,
    readAt: data?.readAt ?? null,
    cut: data?.cut ?? null,
    unreadable: data?.unreadable ?? 0,
    problem: error instanceof ReadFailure ? error.problem : firstProblem,
    retryAt: error instanceof ReadFailure ? error.retryAt : null,
    reading: isValidating,
    again: () => void mutate(),
  }
}

/** A read operation of the contract: `useOperation('cron.list', { serverId }, …)`. Its fields are given with the target. */
export function useOperation<Id extends ReadId>(
  id: Id,
  target: OperationReads[Id]['target'],
  options: ReadOptions<OperationReads[Id]['answer']>,
): ReadState<OperationReads[Id]['answer']> {
  return useRead(operationRead(id, target), options)
}

/** Repeats those of the reads that the page shows; resolves once they are done. */
export async function refetchReads(addresses: readonly AnyRead[]): Promise<void> {
  await Promise.all(addresses.map((address) => mutate(address)))
}
