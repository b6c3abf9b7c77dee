'use client'

import { useEffect, useSyncExternalStore } from 'react'
import type { JobState } from '@/lib/portal/jobs/view'
import { toReadableDomain } from '@/lib/text/idn'
import { Button } from '../../_ui/button'
import { CopyButton } from '../../_ui/copy-button'
import { Notice } from '../../_ui/notice'
import { focusContent } from '../keyboard/use-shortcuts'
import { AskLeave } from '../leaving/hold'

/** A site that this tab has begun to create. password: null once the user has it. siteId: null until it is known. */
export type NewSite = { jobId: string; domain: string; password: string | null; siteId: string | null }

/** In memory alone, so that a password outlives the change of the page, but not the tab. */
const newSites = new Map<string, NewSite>()
const listeners = new Set<() => void>()

function put(site: NewSite): void {
  newSites.set(site.jobId, site)
  for (const listener of listeners) listener()
}

export const keepNewSite = (jobId: string, domain: string, password: string): void => put({ jobId, domain, password, siteId: null })

/** Once the site is listed. */
export function nameNewSite(jobId: string, siteId: string): void {
  const known = newSites.get(jobId)
  if (known && known.siteId !== siteId) put({ ...known, siteId })
}

/** The password was copied, and is not shown again. */
export function forgetNewPassword(jobId: string): void {
  const known = newSites.get(jobId)
  if (known) put({ ...known, password: null })
}

/** Not once the creation failed: what it began was taken back. */
export const isPasswordOfUse = (state: JobState): boolean => state !== 'failed' && state !== 'cancelled'

export const findNewSite = ({ jobId, siteId }: { jobId?: string; siteId?: string }): NewSite | null =>
  [...newSites.values()].find((site) => site.jobId === jobId || (siteId !== undefined && site.siteId === siteId)) ?? null

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Null for a site that another tab created. */
export const useNewSite = (which: { jobId?: string; siteId?: string }): NewSite | null =>
  useSyncExternalStore(
    subscribe,
    () => findNewSite(which),
    () => null,
  )

/** The password of a new site, until the user says that it is copied: leaving asks. */
export function NewPasswordNotice({ site: { jobId, domain, password } }: { site: NewSite }) {
  useEffect(() => {
    focusContent()
    scrollTo(0, 0)
  }, [])
  if (password === null) return null
  return (
    <>
      <Notice
        tone="info"
        title="Copy the password now: it isn’t stored and won’t be shown again."
        action={<Button onClick={() => forgetNewPassword(jobId)}>I have copied it</Button>}
      >
        <p className="mt-1.5 flex max-w-[480px] items-center justify-between gap-2 rounded-control bg-surface py-1 pr-1 pl-3">
          <code className="min-w-0 font-mono text-code break-all">{password}</code>
          <CopyButton value={password} what="the password" />
        </p>
      </Notice>
      <AskLeave
        title="Leave without the password?"
        description={`The password of ${toReadableDomain(domain)} isn’t stored. You can set a new one on the site’s page.`}
      />
    </>
  )
}
