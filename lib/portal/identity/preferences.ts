/** A user's display preferences: theme, table density, time zone. Stored with the user, so they apply in every browser. */
import 'server-only'
import { type Outcome, problem } from '@/lib/contract/problem'
import { db } from '@/lib/portal/base/db'

const themes = ['system', 'light', 'dark'] as const
const densities = ['comfortable', 'standard', 'compact'] as const

export type Theme = (typeof themes)[number]
export type Density = (typeof densities)[number]

/** timeZone: an IANA name such as Europe/Berlin; '' means the browser's own. */
export type Preferences = { theme: Theme; density: Density; timeZone: string }

export const usualPreferences: Preferences = { theme: 'system', density: 'standard', timeZone: '' }

type Row = { theme: string | null; density: string | null; timeZone: string | null }

/** The preferences of a row; unknown values fall back to the defaults. */
export function preferencesOf(row: Row): Preferences {
  return {
    theme: themes.find((theme) => theme === row.theme) ?? usualPreferences.theme,
    density: densities.find((density) => density === row.density) ?? usualPreferences.density,
    timeZone: row.timeZone !== null && isTimeZone(row.timeZone) ? row.timeZone : usualPreferences.timeZone,
  }
}

/** Whether the name is a time zone that dates can be formatted in. */
export function isTimeZone(name: string): boolean {
  // Limits the length, and excludes offsets such as +01:00, which ignore daylight saving.
  if (!/^[A-Za-z][\w+\-/]{0,60}$/.test(name)) return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).format(0) !== ''
  } catch {
    return false
  }
}

/** The names of all zones, for a select. */
export const timeZones = (): string[] => [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])]

/** Saves all three. A problem names the field of an unknown value. */
export async function savePreferences(userId: string, given: Record<keyof Preferences, string>): Promise<Outcome<Preferences>> {
  const { timeZone } = given
  const theme = themes.find((each) => each === given.theme)
  const density = densities.find((each) => each === given.density)
  const unknown = Object.entries({
    theme: !theme,
    density: !density,
    timeZone: timeZone !== '' && !isTimeZone(timeZone),
  }).filter(([, refused]) => refused)
  const fields = Object.fromEntries(unknown.map(([name]) => [name, 'Choose one from the list.']))
  if (!theme || !density || unknown.length > 0) return { ok: false, problem: problem('invalid', { fields }) }
  const row = {
    theme: theme === 'system' ? null : theme,
    density: density === 'standard' ? null : density,
    timeZone: timeZone || null,
  }
  await db().user.update({ where: { id: userId }, data: row })
  return { ok: true, data: preferencesOf(row) }
}
