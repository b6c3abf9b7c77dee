'use client'

import useSWR, { useSWRConfig } from 'swr'
import type { Problem } from '@/lib/contract/problem'
import type { Versioned } from '@/lib/portal/subjects/listing/version'
import { type Read, ReadFailure, read } from './read'
import type { ReadAddress } from './read-address'

const everyMs = 15_000

export type ListState<List> = {
  /** Null before the first answer. */
  list: List | null
  /** ms since 1970 */
  readAt: number | null
  /** Why the newest read failed. */
  problem: Problem | null
}

type VersionedList<List> = {
  /** With a version: the read that only answers whether the list has changed since. */
  addressSince: (version?: string) => ReadAddress<Versioned<List>>
  empty: List
  without: (list: List, id: string) => List
}

/** A list of thousands that is polled: creates the hook that reads it, and the one that removes a row at once. */
export function createVersionedList<List extends object>({ addressSince, empty, without }: VersionedList<List>) {
  const address = addressSince()
  /** The newest list that this page got, and its version. */
  let kept: (List & { version: string }) | null = null

  /** Requests only changes: while there are none, the same object is returned and nothing has to be computed again. */
  async function readSince(): Promise<Read<List>> {
    const asked = kept
    const { data, readAt } = await read(addressSince(asked?.version))
    if (!('same' in data)) kept = data
    else if (asked) return { data: asked, readAt }
    return { data: kept ?? empty, readAt }
  }

  return {
    /** All rows, refreshed every 15 s while the page is visible. */
    useList(): ListState<List> {
      const { data, error } = useSWR<Read<List>, ReadFailure>(address, readSince, {
        refreshInterval: everyMs,
        // At the polling interval: the wait does not grow while the page is visible.
        onErrorRetry: (failure, _url, _options, revalidate, { retryCount }) => {
          setTimeout(() => void revalidate({ retryCount }), Math.max(everyMs, (failure.retryAt ?? 0) - Date.now()))
        },
        // The version makes comparing thousands of rows unnecessary.
        compare: (a, b) => a === b,
      })
      return { list: data?.data ?? null, readAt: data?.readAt ?? null, problem: error instanceof ReadFailure ? error.problem : null }
    },
    /** Removes a deleted row from the shown list immediately; the list is then read again. */
    useDrop(): (id: string) => void {
      const { mutate } = useSWRConfig()
      return (id) => void mutate<Read<List>>(address, (known) => known && { data: without(known.data, id), readAt: known.readAt })
    },
  }
}
