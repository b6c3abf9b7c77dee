/** Times of day in words. */

/** "2026-11-23 at 08:50 UTC", for sentences that are written on the server, which does not know the reader's time zone. */
export const formatMinute = (at: Date): string => `${at.toISOString().slice(0, 16).replace('T', ' at ')} UTC`

/** "02:00", of 2. */
export const formatHour = (hour: number): string => `${String(hour).padStart(2, '0')}:00`
