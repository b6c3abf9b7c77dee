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

/** The record MX as the service judged it: it knows the addresses of mail servers, and a server may have several names. */
type JudgedRecord = { type: string; expected: string; found: string; state: 'ready' | 'missing' | 'different' }

const resultOf = { ready: 'match', missing: 'missing', different: 'differ' } as const

/** What a resolver found for a domain against what its server expects. A judgement of the service counts more than the comparison of texts. */
export const compareRecords = (found: Records, expected: Records, judged: readonly JudgedRecord[] = []): DnsRecord[] =>
  (['A', 'MX'] as const).map((type) => {
    const record = judged.find((one) => one.type === type)
    if (record) return { type, found: record.found, expected: record.expected, result: resultOf[record.state] }
    return { type, found: found[type], expected: expected[type], result: judge(found[type], expected[type]) }
  })

/** What a record without a value shows. item: what the service reported; until then the list is all there is, and it may leave records out. */
export const wordForNone = (item: object | undefined): string => (item === undefined ? 'Not known' : 'Nothing')

/** A foreign service that names no record at all may not look them up, so that nothing is known of what DNS says. */
export const tellsRecords = ({ A, MX }: Records, foreign: boolean): boolean => !foreign || normal(A) !== '' || normal(MX) !== ''
