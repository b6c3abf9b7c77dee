/** Which app a site has, by the text of a few of its files. They belong to the site, so they are never executed. */
import { cleanText } from '@/lib/service/clean-text'
import type { CatalogueEntry } from './entry'

/** build: what the app's update API asks for instead of the version; empty if it asks for none. */
export type FoundApp = { app: string; version: string; build: string }

/** Null if the texts are not of this app. */
export function recognise({ app, found }: CatalogueEntry, file: string, beside: string): FoundApp | null {
  const version = firstGroup(found.version, file)
  if (version === '') return null
  return { app, version, build: found.build === undefined ? '' : firstGroup(found.build, beside) }
}

const firstGroup = (expression: string, text: string): string => cleanText(new RegExp(expression, 'm').exec(text)?.[1] ?? '', 40)
