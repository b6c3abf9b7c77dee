/** The order of two texts by their UTF-16 code units, for sorting: the same on every machine, and faster than a collator. */
export const compareTexts = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)
