import { Trash2 } from 'lucide-react'
import type { CollectionKind } from '@/app/_shared/collection/kind'
import { defineQuery } from '@/app/_shared/collection/query'
import { useForeign } from '@/app/_shared/connections/foreign-service'
import { Button } from '@/app/_ui/button'
import { MenuItem } from '@/app/_ui/menu'
import type { Column, RowMenu } from '@/app/_ui/table/column'
import type { Answer } from '@/lib/contract/operation'
import type { firewall } from '@/lib/contract/operations/firewall'
import { isV6, sayingOf, wordsOf } from '@/lib/firewall/listed'
import { findIdle } from '@/lib/firewall/order'
import { holdsPorts, type Ports } from '@/lib/firewall/ports'
import { type Action, formatRule, type Rule, type RuleWords, readRule } from '@/lib/firewall/rule'

export type FirewallAnswer = Answer<typeof firewall.get>
export type FirewallRule = FirewallAnswer['rules'][number]

/**
 * A rule as users think of it: for IPv4 and IPv6 at once if both have it. rules: one or two, IPv4 first. rule: null if the interface
 * cannot express it. by: the row that takes effect instead of this one.
 */
export type RuleRow = {
  id: string
  rules: readonly FirewallRule[]
  rule: Rule | null
  words: RuleWords
  families: 'both' | 'v4' | 'v6'
  idle: { kind: 'duplicate' | 'shadowed'; by: RuleRow } | null
}

/** In the order of the rules, with the two halves of a rule together. */
export function rowsOf(rules: readonly FirewallRule[]): RuleRow[] {
  const left = rules.filter(isV6)
  const rows: RuleRow[] = []
  for (const rule of rules) {
    if (isV6(rule) && !left.includes(rule)) continue
    const text = sayingOf(rule)
    const half = isV6(rule) ? undefined : left.find((candidate) => sayingOf(candidate) === text)
    for (const taken of isV6(rule) ? [rule] : half ? [half] : []) left.splice(left.indexOf(taken), 1)
    const words = wordsOf(rule)
    const plain = readRule(words)
    rows.push({
      id: `${isV6(rule) ? 6 : 4} ${text} ${rows.filter(({ id }) => id.includes(text)).length}`,
      rules: half ? [rule, half] : [rule],
      rule: plain,
      words: plain ? formatRule(plain) : words,
      families: half ? 'both' : isV6(rule) ? 'v6' : 'v4',
      idle: null,
    })
  }
  markIdle(rows, rules)
  return rows
}

/** A row has no effect if none of its halves does. */
function markIdle(rows: readonly RuleRow[], rules: readonly FirewallRule[]): void {
  const found = new Map<FirewallRule, { kind: 'duplicate' | 'shadowed'; by: FirewallRule }>()
  for (const family of [rules.filter((rule) => !isV6(rule)), rules.filter(isV6)]) {
    for (const [place, idle] of findIdle(family.map((rule) => readRule(wordsOf(rule)))).entries()) {
      const [rule, by] = [family[place], idle ? family[idle.by] : undefined]
      if (rule && idle && by) found.set(rule, { kind: idle.kind, by })
    }
  }
  for (const row of rows) {
    const [first] = row.rules
    const idle = first && row.rules.every((rule) => found.has(rule)) ? found.get(first) : undefined
    const by = idle && rows.find((candidate) => candidate.rules.includes(idle.by))
    if (idle && by && by !== row) row.idle = { kind: idle.kind, by }
  }
}

/** The row equal to these fields, in the newest list. */
export function findRow(rows: readonly RuleRow[], fields: RuleWords): RuleRow | undefined {
  const rule = readRule(fields)
  const wanted = rule && JSON.stringify(formatRule(rule))
  return rows.find((row) => row.rule !== null && JSON.stringify(formatRule(row.rule)) === wanted)
}

/** Whether any rule allows that port over TCP, from anywhere. */
export function allowsSsh(rows: readonly RuleRow[], port: number): boolean {
  const wanted = [{ first: port, last: port }]
  return rows.some(({ rule }) => {
    if (rule === null || rule.protocol === 'udp') return false
    return (rule.action === 'allow' || rule.action === 'limit') && holdsPorts(rule.ports, wanted)
  })
}

/** What usually listens on each port, over TCP unless stated otherwise. */
const services: Readonly<Record<string, string>> = {
  '21': 'FTP',
  '22': 'SSH',
  '25': 'SMTP',
  '53': 'DNS',
  '80': 'HTTP',
  '110': 'POP3',
  '143': 'IMAP',
  '443': 'HTTPS',
  '465': 'SMTPS',
  '587': 'mail submission',
  '993': 'IMAPS',
  '995': 'POP3S',
  '3306': 'MariaDB',
  '5432': 'PostgreSQL',
  '6379': 'Redis',
}

const verbs: Readonly<Record<Action, string>> = { allow: 'Allow', limit: 'Rate-limit', deny: 'Drop', reject: 'Refuse' }

const join = (parts: readonly string[]): string =>
  parts.length < 2 ? (parts[0] ?? '') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`

/** A rule as a sentence without its full stop; its own words if the interface cannot express it. */
export function formatRuleSentence(rule: Rule | null, words: RuleWords): string {
  if (rule === null) return `${words.action} ${[words.port, words.protocol].filter(Boolean).join('/')} from ${words.from || 'any'}`
  const { action, from } = rule

  return `${verbs[action]} ${formatTraffic(rule)} from ${from?.text ?? 'anywhere'}`
}

function formatTraffic({ ports, protocol }: Rule): string {
  if (ports === null) return protocol === 'any' ? 'all traffic' : `all traffic over ${protocol.toUpperCase()}`
  const known = ports.map(({ first, last }) => (first === last && protocol !== 'udp' ? services[String(first)] : undefined))
  if (known.every((name) => name !== undefined)) return join(known)
  const over = protocol === 'any' ? '' : `${protocol.toUpperCase()} `
  return `${over}${isOne(ports) ? 'port' : 'ports'} ${join(ports.map(({ first, last }) => (first === last ? `${first}` : `${first} to ${last}`)))}`
}

const isOne = (ports: Exclude<Ports, null>): boolean => ports.length === 1 && ports[0]?.first === ports[0]?.last

const title = 'Delete the rule that allows SSH?'
const button = 'Delete rule'

const own = {
  title,
  button,
  description: 'No other rule allows SSH, so nobody could manage this server over SSH any more.',
}

const foreign = {
  title,
  button,
  description: 'No other rule listed here allows SSH. Without one, the firewall may lock out whoever manages this server.',
}

/** The warning before the last rule that allows SSH is deleted. */
export const useWayInWords = () => (useForeign() ? foreign : own)

// Firewall rules as a collection, in the order in which they are applied.

const query = defineQuery({ columns: [''], defaultColumn: '', facets: [], flags: {} })

const sentenceOf = ({ rule, words }: RuleRow): string => formatRuleSentence(rule, words)

export const nameOf = (row: RuleRow): string => `${sentenceOf(row)}${row.families === 'both' ? '' : `, IP${row.families}`}`

export const ruleCollection: CollectionKind<RuleRow, typeof query.whole> = {
  noun: 'rule',
  label: 'Firewall rules',
  query,
  nameOf,
  selectLabel: (row) => `Select ${nameOf(row)}`,
  selectAllLabel: 'Select all rules',
  searched: (row) => [nameOf(row)],
  sortTexts: {},
  facets: [],
  flags: [],
  noMatch: { title: 'No matching rules', description: '' },
}

const familyWords = { both: 'v4, v6', v4: 'v4', v6: 'v6' } as const

const detail = { className: 'font-mono text-code text-muted' } as const

/** The sentence in the column `rule` says everything, so a narrow table can hide the other columns. */
export const ruleColumns = (foreign: boolean): readonly Column<RuleRow>[] => [
  { id: 'rule', label: 'Rule', minWidth: 250, grows: true, main: true, cell: (row) => <RuleCell row={row} foreign={foreign} /> },
  { ...detail, id: 'port', label: 'Port', minWidth: 144, leaves: 4, cell: ({ words }) => words.port },
  { ...detail, id: 'protocol', label: 'Protocol', minWidth: 88, leaves: 3, cell: ({ words }) => words.protocol },
  { ...detail, id: 'families', label: 'IP', minWidth: 88, leaves: 1, cell: ({ families }) => familyWords[families] },
  { ...detail, id: 'action', label: 'Action', minWidth: 84, leaves: 2, cell: ({ words }) => words.action },
  { ...detail, id: 'from', label: 'From', minWidth: 160, leaves: 5, cell: ({ words }) => words.from },
]

function RuleCell({ row, foreign }: { row: RuleRow; foreign: boolean }) {
  const { rule, families } = row
  // Only for our own service is it known which of several rules takes effect.
  const idle = foreign ? null : row.idle
  return (
    <>
      <span className={`block wrap-anywhere ${idle ? 'text-muted' : 'font-semibold'}`}>{sentenceOf(row)}</span>
      {families === 'both' ? null : <span className="block text-small text-muted">{`For IP${families} only.`}</span>}
      {rule === null && !foreign ? <span className="block text-small text-muted">Has options that Gatehouse does not support.</span> : null}
      {idle ? <IdleNote {...idle} /> : null}
    </>
  )
}

/** Why a rule does nothing, so that nobody relies on it. */
function IdleNote({ kind, by }: NonNullable<RuleRow['idle']>) {
  const earlier = sentenceOf(by)
  return (
    <span className="block text-small text-warn">
      {kind === 'duplicate' ? `No effect: “${earlier}” above already does this.` : `No effect: “${earlier}” above matches first.`}
    </span>
  )
}

type RuleActions = {
  /** Only one rule is changed at a time. */
  busy: boolean
  onDuplicate: (row: RuleRow) => void
  onDelete: (row: RuleRow) => void
}

export const ruleMenu = ({ busy, onDuplicate, onDelete }: RuleActions): RowMenu<RuleRow> => ({
  label: (row) => `Actions for ${nameOf(row)}`,
  items: (row) => (
    <>
      {row.rule === null ? null : <MenuItem onSelect={() => onDuplicate(row)}>Duplicate</MenuItem>}
      <MenuItem danger onSelect={() => (busy ? undefined : onDelete(row))}>
        Delete
      </MenuItem>
    </>
  ),
  quick: (row) => (
    <Button variant="ghost" icon aria-label={`Delete: ${nameOf(row)}`} disabled={busy} onClick={() => onDelete(row)}>
      <Trash2 aria-hidden size={16} strokeWidth={1.5} />
    </Button>
  ),
})
