/** UFW's own list of rules, one line each: its meaning, the part the interface can express, and UFW's number for it. */
import { createHash } from 'node:crypto'
import { type Action, actions, formatRule, protocols, type Rule, readRule } from '@/lib/firewall/rule'
import { isWhole } from '@/lib/firewall/source'

export type Family = 4 | 6

/**
 * One entry, as UFW counts them. text: its line without the comment. number: the argument of `ufw delete`, from 1, IPv4 first. place: the
 * argument of `ufw insert`, which counts lines: an application with several protocols has several. rule: null if the interface cannot
 * express it.
 */
export type Entry = { family: Family; text: string; comment: string; number: number; place: number; rule: Rule | null }

const everywhere: Readonly<Record<Family, string>> = { 4: '0.0.0.0/0', 6: '::/0' }

const mark = '### tuple ### '

/** Parses the entries of user.rules and user6.rules. Other lines are skipped. */
export function parseEntries(rules: string, rules6: string): Entry[] {
  const first = numberEntries(parseFamily(rules, 4), 0)
  return [...first, ...numberEntries(parseFamily(rules6, 6), first.length)]
}

type Unnumbered = Omit<Entry, 'number' | 'place'>

/** before: the number of entries of the other family that precede them. */
function numberEntries(entries: readonly Unnumbered[], before: number): Entry[] {
  let place = before + 1
  return entries.map((entry, index) => {
    const numbered = { ...entry, number: before + index + 1, place }
    place += entry.text.split('\n').length
    return numbered
  })
}

function parseFamily(text: string, family: Family): Unnumbered[] {
  const entries: Unnumbered[] = []
  const places = new Map<string, number>()
  for (const line of text.split('\n')) {
    if (!line.startsWith(mark)) continue
    const [said = '', comment = ''] = line.slice(mark.length).split(' comment=')
    const words = said.trim().split(/\s+/)
    if (words.length < 6 || words.length > 9) continue
    const application = applicationOf(words)
    const known = application === null ? undefined : entries[places.get(application) ?? -1]
    if (known) {
      known.text += `\n${words.join(' ')}`
      continue
    }
    if (application !== null) places.set(application, entries.length)
    entries.push({ family, text: words.join(' '), comment: comment.trim(), rule: ruleOf(words, family) })
  }
  return entries
}

/** Identifies the lines of one application, which UFW shows as one entry; null for a rule with ports. */
function applicationOf(words: string[]): string | null {
  const [, , port, to, sourcePort, from, target, source, direction = 'in'] = words
  if (words.length < 8) return null
  return [target === '-' ? port : target, to, source === '-' ? sourcePort : source, from, direction].join(' ')
}

/** action protocol port to source-port from [applications] direction */
function ruleOf(words: string[], family: Family): Rule | null {
  const [action = '', protocol = '', port = '', to, sourcePort, from = '', direction = 'in', ...more] = words
  const plain = to === everywhere[family] && sourcePort === 'any' && direction === 'in' && more.length === 0
  if (!plain || !isOneOf(actions, action) || !isOneOf(protocols, protocol)) return null
  return readRule({ action, protocol, port, from: from === everywhere[family] ? 'any' : from })
}

const lettingIn = /^(allow|limit)(_log(-all)?)?$/

/**
 * The traffic that an entry allows, as plain rules; if that cannot be expressed exactly, rules that allow more. Empty if the entry refuses
 * traffic or does not concern incoming traffic.
 */
export function lettingRules({ text, family, rule }: Entry): Rule[] {
  if (rule) return rule.action === 'allow' || rule.action === 'limit' ? [rule] : []
  return text.split('\n').flatMap((line) => {
    const [action = '', protocol = '', port = '', , , from = '', ...more] = line.split(' ')
    if (!lettingIn.test(action) || !/^in(_|$)/.test(more.at(-1) ?? 'in')) return []
    const words = { action: 'allow', protocol: isOneOf(protocols, protocol) ? protocol : 'any', port }
    const plain = readRule({ ...words, from: from === everywhere[family] ? 'any' : from })
    return plain ? [plain] : []
  })
}

const isOneOf = <Word extends string>(words: readonly Word[], word: string): word is Word => words.some((known) => known === word)

/** The line for a plain rule in one family. */
export function renderText(rule: Rule, family: Family): string {
  const { action, protocol, port } = formatRule(rule)
  return `${action} ${protocol} ${port} ${everywhere[family]} any ${rule.from?.text ?? everywhere[family]} in`
}

export const renderEntry = ({ text, comment }: Pick<Entry, 'text' | 'comment'>): string =>
  text
    .split('\n')
    .map((line) => `${mark}${line}${comment === '' ? '' : ` comment=${comment}`}`)
    .join('\n')

/** Derived from the rule's content and family, so it does not depend on the position. UFW stores each rule only once. */
export const idOf = ({ family, text }: Pick<Entry, 'family' | 'text'>): string =>
  `v${family}-${createHash('sha256').update(text).digest('base64url').slice(0, 16)}`

export type ListedRule = { id: string; port: string; protocol: string; v6: string; action: string; from: string }

/** As the interface reports it. A value that the interface cannot express is given in UFW's own notation. */
export function listEntry(entry: Entry): ListedRule {
  const about = { id: idOf(entry), v6: entry.family === 6 ? 'v6' : '' }
  if (entry.rule) return { ...about, ...formatRule(entry.rule) }
  const [first = ''] = entry.text.split('\n')
  const [action = '', protocol = '', port = '', to = '', sourcePort = '', from = '', ...more] = first.split(' ')
  const [target = '-', source = '-'] = more.length > 1 ? more.map((name) => name.replaceAll('%20', ' ')) : []
  const direction = more.at(-1) ?? 'in'
  const anywhere = everywhere[entry.family]
  const [way = 'in', ...on] = direction.split('_')
  const formatPosition = (address: string, at: string) => (address === anywhere ? at : `${at} at ${address}`)
  return {
    ...about,
    action: [action.replace('route:', 'route ').replace('_', ' '), way === 'in' ? '' : way].filter(Boolean).join(' '),
    protocol: target === '-' && source === '-' ? protocol : '',
    port: formatPosition(to, target === '-' ? port : target) + (on.length > 0 ? ` on ${on.join('_').replace('!out_', ' to ')}` : ''),
    from: [from === anywhere ? 'any' : from, source === '-' ? (sourcePort === 'any' ? '' : `port ${sourcePort}`) : source]
      .filter(Boolean)
      .join(' '),
  }
}

/**
 * One call of `ufw` that changes the list. before: the position to insert at; 'first' for the beginning of its family, null for the
 * end.
 */
export type Step =
  | { kind: 'append'; rule: Rule; families: readonly Family[] }
  | { kind: 'insert'; rule: Rule; family: Family; before: number | 'first' | null; comment: string }
  | { kind: 'delete'; number: number }
  | { kind: 'switch'; on: boolean }

/** The arguments of the call. Each is a constant, a number, or an address that was parsed and rendered again. */
export function argumentsOf(step: Step): string[] {
  if (step.kind === 'switch') return ['--force', step.on ? 'enable' : 'disable']
  if (step.kind === 'delete') return ['--force', 'delete', String(step.number)]
  const { protocol, port } = formatRule(step.rule)
  const action: Action = step.rule.action
  const families = step.kind === 'insert' ? [step.family] : step.families
  const [family = 4] = families
  const from = step.rule.from?.text ?? (families.length > 1 ? 'any' : everywhere[family])
  return [
    ...(step.kind === 'insert' ? placeWords(step.before) : []),
    action,
    ...(protocol === 'any' ? [] : ['proto', protocol]),
    'from',
    from,
    'to',
    'any',
    ...(port === 'any' ? [] : ['port', port]),
    ...(step.kind === 'insert' && step.comment !== '' ? ['comment', Buffer.from(step.comment, 'hex').toString('utf8')] : []),
  ]
}

function placeWords(before: number | 'first' | null): string[] {
  if (before === null) return []
  return before === 'first' ? ['prepend'] : ['insert', String(before)]
}

/** The families a rule belongs to: that of its source, or both. If the source is a whole family, the rule applies to any source in it. */
export function placeRule(rule: Rule, hasIpv6: boolean): { rule: Rule; families: Family[] } {
  const { from } = rule
  if (from === null) return { rule, families: hasIpv6 ? [4, 6] : [4] }
  return { rule: isWhole(from) ? { ...rule, from: null } : rule, families: [from.family] }
}
