/** The preferences a page is rendered with: known before its first byte, so that nothing jumps afterwards. */
import 'server-only'
import { findActor } from './actor'
import { isTimeZone, type Preferences, usualPreferences } from './preferences'

export type ShownPreferences = Preferences & {
  /** The time zone used while none is chosen: the browser's, else UTC. */
  browserZone: string
}

/**
 * For the layout of all pages, including those for signed-out users and error pages. `browserZone` is what the browser sent,
 * unchecked.
 */
export async function readShownPreferences(browserZone: string | undefined): Promise<ShownPreferences> {
  const actor = await findActor().catch(() => null)
  const preferences = actor?.preferences ?? usualPreferences
  return { ...preferences, browserZone: zoneFor(usualPreferences, browserZone) }
}

/** The zone in which times are printed for somebody. */
export function zoneFor({ timeZone }: Pick<Preferences, 'timeZone'>, browserZone: string | undefined): string {
  if (timeZone !== '') return timeZone
  return browserZone !== undefined && isTimeZone(browserZone) ? browserZone : 'UTC'
}
