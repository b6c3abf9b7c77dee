/**
 * Counts in words. The browser's own formatter does the same, but its first use in a page loads its tables, which takes a phone a
 * tenth of a second.
 */

/** "12,345" for a whole number. */
export const formatCount = (count: number): string => String(count).replace(/\B(?=(?:\d{3})+$)/g, ',')

/** "servers", "aliases". */
export const pluralOf = (noun: string): string => `${noun}${noun.endsWith('s') ? 'es' : 's'}`

/** "1 server", "12,345 servers". */
export const countOf = (count: number, noun: string): string => `${formatCount(count)} ${count === 1 ? noun : pluralOf(noun)}`
