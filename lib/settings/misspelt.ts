/** Finds variables of the environment that look like settings but are none, because a misspelt setting has no effect. */

/** Nobody else uses names that begin with these. */
const ownPrefixes = ['GATEHOUSE_', 'OIDC_', 'SMTP_', 'ACME_']

/** Set by the launcher for the portal's process, the file that ./gatehouse takes settings from, and the Node that a release runs with. */
const internal = ['GATEHOUSE_BUILD', 'GATEHOUSE_SETTINGS', 'GATEHOUSE_NODE']

/** So many letters may be wrong in a name that is meant. Short names have too many neighbours. */
const slipsIn = (name: string): number => (name.length < 6 ? 0 : name.length < 9 ? 1 : name.length < 12 ? 2 : 3)

/** How many letters have to be added, left out, replaced or exchanged with their neighbour. */
function countSlips(one: string, other: string): number {
  const rows: number[][] = [Array.from({ length: other.length + 1 }, (_, column) => column)]
  const at = (row: number, column: number) => rows[row]?.[column] ?? 0
  for (let row = 1; row <= one.length; row++) {
    rows.push([row])
    for (let column = 1; column <= other.length; column++) {
      const differs = one[row - 1] === other[column - 1] ? 0 : 1
      const swapped = row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      const least = Math.min(at(row - 1, column) + 1, at(row, column - 1) + 1, at(row - 1, column - 1) + differs)
      rows[row]?.push(swapped ? Math.min(least, at(row - 2, column - 2) + 1) : least)
    }
  }
  return at(one.length, other.length)
}

/** The setting that a name may stand for, or null. */
function findMeant(name: string, settings: readonly string[]): string | null {
  const written = name.toUpperCase().replaceAll('-', '_')
  const near = settings.map((setting) => ({ setting, slips: countSlips(written, setting) })).sort((a, b) => a.slips - b.slips)[0]
  return near && near.slips <= slipsIn(near.setting) ? near.setting : null
}

/** One sentence for each variable that looks like one of the settings. */
export function describeMisspelt(env: Record<string, string | undefined>, settings: readonly string[]): string[] {
  const others = Object.keys(env).filter((name) => !settings.includes(name) && !internal.includes(name) && name.length < 50)
  return others.sort().flatMap((name) => {
    const meant = findMeant(name, settings)
    if (meant !== null) return [`${name} is not a setting and has no effect. Did you mean ${meant}?`]
    const isOurs = ownPrefixes.some((prefix) => name.toUpperCase().startsWith(prefix))
    return isOurs ? [`${name} is not a setting and has no effect. docs/running.md lists the settings.`] : []
  })
}
