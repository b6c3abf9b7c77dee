/** The records of DNS that mail of a site needs: what they should be, and what was found. */

/**
 * What DNS says about mail of a domain. servers: the mail servers, the preferred one first, with their IPv4 addresses. txt: records of the
 * domain, of its key and of its policy. names: those of the server's address. Null if the resolver did not answer.
 */
export type MailFindings = {
  servers: readonly { name: string; addresses: readonly string[] }[] | null
  txt: readonly string[] | null
  key: readonly string[] | null
  policy: readonly string[] | null
  names: readonly string[] | null
}

/** hostname, ip: of the server. key: the public half of the key that mail is signed with, base64; empty before there is one. */
type MailFacts = { domain: string; hostname: string; ip: string; key: string }

type MailRecord = {
  type: 'MX' | 'SPF' | 'DKIM' | 'DMARC' | 'PTR'
  name: string
  expected: string
  found: string
  state: 'ready' | 'missing' | 'different'
  reason: string
}

export const keyName = (domain: string): string => `gatehouse._domainkey.${domain}`
export const policyName = (domain: string): string => `_dmarc.${domain}`

const same = (one: string, other: string): boolean => one.replace(/\.$/, '').toLowerCase() === other.replace(/\.$/, '').toLowerCase()

/** The preferred mail server if it is not this one, empty otherwise; null if the resolver did not answer. */
export function findElsewhere({ servers }: MailFindings, { hostname, ip }: Pick<MailFacts, 'hostname' | 'ip'>): string | null {
  if (!servers) return null
  const [preferred] = servers
  if (!preferred || same(preferred.name, hostname) || (ip !== '' && preferred.addresses.includes(ip))) return ''
  return preferred.name
}

/** A record about which the resolver did not answer is left out. */
export function describeRecords(found: MailFindings, facts: MailFacts): MailRecord[] {
  return [mailServer(found, facts), senders(found, facts), signature(found, facts), policy(found, facts), reverse(found, facts)].flatMap(
    (record) => (record ? [record] : []),
  )
}

type Judged = Pick<MailRecord, 'state' | 'reason'>

const ready: Judged = { state: 'ready', reason: '' }
const missing = (reason: string): Judged => ({ state: 'missing', reason })
const different = (reason: string): Judged => ({ state: 'different', reason })

function mailServer(found: MailFindings, facts: MailFacts): MailRecord | null {
  const elsewhere = findElsewhere(found, facts)
  if (!found.servers || elsewhere === null) return null
  const { domain, hostname } = facts
  const judge = (): Judged => {
    if (found.servers?.length === 0) return missing('Without it, other servers send mail to the address of the website.')
    return elsewhere === '' ? ready : different(`Mail goes to ${elsewhere}, not to this server.`)
  }
  const names = found.servers.map(({ name }) => name).join(', ')
  const judged = judge()
  // Another name of this server will do, so it is not asked to be changed.
  const expected = judged.state === 'ready' ? names : `10 ${hostname}.`
  return { type: 'MX', name: domain, expected, found: names, ...judged }
}

const isSenders = (text: string): boolean => /^v=spf1( |$)/i.test(text)

/** Whether a record of SPF names this server itself. What it includes of others is not followed. */
function allows(record: string, { hostname, ip }: MailFacts, leadsHere: boolean): boolean {
  return record
    .toLowerCase()
    .split(/\s+/)
    .map((word) => word.replace(/^\+/, ''))
    .some(
      (word) => (word === 'mx' && leadsHere) || word === `ip4:${ip}` || word === `ip4:${ip}/32` || word === `a:${hostname.toLowerCase()}`,
    )
}

function senders(found: MailFindings, facts: MailFacts): MailRecord | null {
  if (!found.txt) return null
  const { domain, ip } = facts
  const own = ip === '' ? 'mx' : `ip4:${ip}`
  const [record, ...more] = found.txt.filter(isSenders)
  const base = { type: 'SPF' as const, name: domain, found: [record, ...more].filter((text) => text !== undefined).join(' and ') }
  if (record === undefined) {
    return {
      ...base,
      expected: `v=spf1 ${ip === '' ? own : `mx ${own}`} ~all`,
      ...missing('Without it, mail that addresses send is often taken for spam.'),
    }
  }
  const extended = record.replace(/^v=spf1/i, `v=spf1 ${own}`)
  if (more.length > 0) return { ...base, expected: extended, ...different('There are several, and then none counts. Keep one.') }
  const leadsHere = findElsewhere(found, facts) === '' && (found.servers?.length ?? 0) > 0
  if (allows(record, facts, leadsHere)) return { ...base, expected: record, ...ready }
  return { ...base, expected: extended, ...different('It does not name this server, so mail that addresses send may be refused.') }
}

const publicKey = (text: string): string => (/(?:^|;)\s*p\s*=([^;]*)/i.exec(text)?.[1] ?? '').replace(/\s/g, '')

function signature({ key: records }: MailFindings, { domain, key }: MailFacts): MailRecord | null {
  if (!records) return null
  const base = { type: 'DKIM' as const, name: keyName(domain), found: records.join(' and ') }
  if (key === '') return { ...base, expected: '', ...missing('The key is made when email is switched on.') }
  const expected = `v=DKIM1; k=rsa; p=${key}`
  if (records.length === 0)
    return { ...base, expected, ...missing('Without it, nobody can check the signature of mail that addresses send.') }
  const isRight = records.length === 1 && records.every((text) => publicKey(text) === key)
  return { ...base, expected, ...(isRight ? ready : different('It is not the key that mail is signed with.')) }
}

function policy({ policy: records }: MailFindings, { domain }: MailFacts): MailRecord | null {
  if (!records) return null
  const own = records.filter((text) => /^v\s*=\s*DMARC1\b/i.test(text))
  const base = { type: 'DMARC' as const, name: policyName(domain), found: own.join(' and ') }
  if (own.length === 1) return { ...base, expected: own.join(''), ...ready }
  const judged =
    own.length === 0 ? missing('Some mail providers ask for it.') : different('There are several, and then none counts. Keep one.')
  return { ...base, expected: 'v=DMARC1; p=none', ...judged }
}

function reverse({ names }: MailFindings, { ip, hostname }: MailFacts): MailRecord | null {
  if (!names) return null
  const base = { type: 'PTR' as const, name: ip, expected: hostname, found: names.join(', ') }
  if (names.some((name) => same(name, hostname))) return { ...base, ...ready }
  const remedy = `Set it to ${hostname} where this server was ordered.`
  const judged =
    names.length === 0 ? missing(`Many servers take no mail without it. ${remedy}`) : different(`It names another server. ${remedy}`)
  return { ...base, ...judged }
}
