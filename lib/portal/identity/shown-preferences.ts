/** The preferences to render a page with: read before its first byte, so that the layout does not shift later. */
import 'server-only'
import { findActor } from './actor'
import { isTimeZone, type Preferences, usualPreferences } from './preferences'

export type ShownPreferences = Preferences & {
  /** The time zone to use if the user has chosen none: the browser's, else UTC. */
  browserZone: string
}

/**
 * For the layout of all pages, including error pages and those for signed-out users. `browserZone` is sent by the browser,
 * unchecked.
 */
export async function readShownPreferences(browserZone: string | undefined): Promise<ShownPreferences> {
  const actor = await findActor().catch(() => null)
  const preferences = actor?.preferences ?? usualPreferences
  return { ...preferences, browserZone: zoneFor(usualPreferences, browserZone) }
}

/** The time zone in which a user's times are printed. */
export function zoneFor({ timeZone }: Pick<Preferences, 'timeZone'>, browserZone: string | undefined): string {
  if (timeZone !== '') return timeZone
  return browserZone !== undefined && isTimeZone(browserZone) ? browserZone : 'UTC'
}
