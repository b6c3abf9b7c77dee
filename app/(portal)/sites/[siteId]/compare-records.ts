type Records = { A: string; MX: string }

/** result null: nothing is expected. */
export type DnsRecord = { type: keyof Records; found: string; expected: string; result: 'match' | 'differ' | 'missing' | null }

const normal = (value: string): string => value.trim().toLowerCase().replace(/\.$/, '')

/** Several values may stand in one text: the expected one has to be among them. A priority before a mail server does not count. */
const valuesOf = (text: string): string[] =>
  text
    .split(/[\s,]+/)
    .map(normal)
    .filter(Boolean)

function judge(found: string, expected: string): DnsRecord['result'] {
  if (normal(expected) === '') return null
  if (normal(found) === '') return 'missing'
  return valuesOf(expected).some((value) => !/^\d+$/.test(value) && valuesOf(found).includes(value)) ? 'match' : 'differ'
}

/** What a resolver found for a domain against what its server expects. */
export const compareRecords = (found: Records, expected: Records): DnsRecord[] =>
  (['A', 'MX'] as const).map((type) => ({ type, found: found[type], expected: expected[type], result: judge(found[type], expected[type]) }))
