/** The time in a file name such as backup-2026-11-21-023107.tar.gz, as ISO; null if there is none. Its time zone is unknown. */
export function dateInName(name: string): string | null {
  const match = /(?<!\d)(20\d\d)-?([01]\d)-?([0-3]\d)(?:[T_ -]?([0-2]\d)[:.-]?([0-5]\d)[:.-]?([0-5]\d))?(?!\d)/.exec(name)
  if (!match) return null
  const [, year, month, day, hour = '00', minute = '00', second = '00'] = match
  const time = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  return Number.isNaN(time) ? null : new Date(time).toISOString()
}
