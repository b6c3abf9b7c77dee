import type { Findable } from '../../_ui/match'
import type { PaletteItem } from './palette-item'
import { subjectOf } from './recents'
import { serverActions } from './server-actions'
import { siteActions } from './site-actions'
import { actionsOf } from './subject-actions'
import { pagesOf } from './subject-pages'

type Found = Findable<PaletteItem>

/** The server or site whose page is open, and what one can do with it and open of it. */
export type Here = { subject: PaletteItem; actions: readonly Found[]; pages: readonly Found[] }

/** Null for any other page, and for a server or site that the reader does not see. */
export function findHere(path: string, subjects: readonly Found[], mayChange: boolean): Here | null {
  const id = subjectOf(path)
  const subject = subjects.find(({ entry }) => entry.id === id)?.entry
  if (!subject) return null
  return {
    subject,
    actions: mayChange ? actionsOf(subject.kind === 'Server' ? serverActions : siteActions, subject) : [],
    pages: pagesOf(subject).filter(({ entry }) => entry.id !== path),
  }
}
