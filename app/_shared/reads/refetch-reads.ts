'use client'

import { mutate } from 'swr'
import type { AnyRead } from './read-address'

/** Repeats those of the reads that the page shows; resolves once they are done. */
export async function refetchReads(addresses: readonly AnyRead[]): Promise<void> {
  await Promise.all(addresses.map((address) => mutate(address)))
}
