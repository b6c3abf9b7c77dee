/** After which time something that servers do by their own timers is late. */
import 'server-only'

/** Installed servers take security updates within a day. */
export const updatesMs = 36 * 3_600_000
