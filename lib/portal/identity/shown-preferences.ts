/** The preferences a page is painted with: known before its first byte, so that nothing jumps afterwards. */
import 'server-only'
import { findActor } from './actor'
import { isTimeZone, type Preferences, usualPreferences } from './preferences'

export type ShownPreferences = Preferences & {
  /** The zone that times are printed in while none is chosen: what the browser says of itself, else UTC. */
  browserZone: string
}

/**
 * For the layout of all pages, also those for somebody not signed in and those that say what is broken. `browserZone` is
 * what the browser claims, unchecked.
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
