import { notFound } from 'next/navigation'
import { cache } from 'react'
import { type Actor, requireActor } from '@/lib/portal/identity/actor'
import { findSite } from '@/lib/portal/subjects/sites/find'
import type { SiteRow } from '@/lib/portal/subjects/sites/row'

/** The site a page is about, or the not-found page. Read once per request, however many parts need it. */
export const findPageSite = cache(async (siteId: string): Promise<{ actor: Actor; subject: SiteRow }> => {
  const actor = await requireActor()
  const subject = await findSite(actor, siteId)
  return subject ? { actor, subject } : notFound()
})
