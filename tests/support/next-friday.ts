/** The day on which a contract or an access of these stories ends. */

/** Never today: ISO, as fields for a day take it. */
export const nextFriday = (): string =>
  new Date(Date.now() + ((5 - new Date().getUTCDay() + 7) % 7 || 7) * 86_400_000).toISOString().slice(0, 10)
