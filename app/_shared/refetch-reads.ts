'use client'

import { mutate } from 'swr'
import type { AnyRead } from './read-address'

/** Has those of the reads that the page shows asked again; done once they were. */
export async function refetchReads(addresses: readonly AnyRead[]): Promise<void> {
  await Promise.all(addresses.map((address) => mutate(address)))
}
