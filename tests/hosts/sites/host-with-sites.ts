/** A host that Gatehouse installed, with sites on it, for the tests of one group. */
import { afterAll, beforeAll, expect } from 'vitest'
import type { SiteOnHost } from '@/lib/service/machines/sites'
import { startInstalled } from '../installed'
import type { Release } from '../lab/lab'
import type { AdmittedHost } from '../reach'
import { creation, endOf } from './site-job'

/** Starts it before the tests of the group and stops it after them. Gives what tells it: not before the first test. */
export function useHostWithSites(release: Release, sites: readonly SiteOnHost[]): () => AdmittedHost {
  let admitted: AdmittedHost | undefined
  const there = (): AdmittedHost => {
    if (!admitted) throw new Error('The host has not been started.')
    return admitted
  }
  beforeAll(async () => {
    admitted = await startInstalled(release)
    for (const site of sites) expect(await endOf(admitted.machine, creation(site))).toMatchObject({ status: 'done' })
  })
  afterAll(async () => {
    // A failed start has no host.
    await admitted?.[Symbol.asyncDispose]()
  })
  return there
}
