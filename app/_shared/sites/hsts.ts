/** For how long browsers insist on https: which ages the form offers, and their names. */
export type Age = { seconds: string; label: string }

const off: Age = { seconds: '0', label: 'Off' }

/** From the shortest. */
const steps: readonly Age[] = [
  { seconds: '300', label: '5 minutes' },
  { seconds: '604800', label: '1 week' },
  { seconds: '31536000', label: '1 year' },
]

/** The present one, which may be another than those of the form. */
export const ageOf = (seconds: string): Age =>
  [off, ...steps].find((age) => Number(age.seconds) === Number(seconds)) ?? { seconds, label: `${seconds} seconds` }

/** Off, the present age, shorter ones, and the next longer one: an age that browsers have seen cannot be taken back. */
export function hstsAges(seconds: string): Age[] {
  const now = Number(seconds)
  const next = steps.find((age) => Number(age.seconds) > now)
  const shorter = steps.filter((age) => Number(age.seconds) < now)
  const ages = [off, ...shorter, ageOf(seconds), ...(next ? [next] : [])]
  return [...new Map(ages.map((age) => [age.seconds, age])).values()]
}
