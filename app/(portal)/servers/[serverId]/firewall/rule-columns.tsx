/** Firewall rules as a collection, in the order in which they are applied. */
import { Trash2 } from 'lucide-react'
import type { CollectionKind } from '@/app/_shared/collection/kind'
import { defineQuery } from '@/app/_shared/collection/query'
import { Button } from '@/app/_ui/button'
import { MenuItem } from '@/app/_ui/menu'
import type { Column, RowMenu } from '@/app/_ui/table/column'
import type { RuleRow } from './rule-rows'
import { formatRuleSentence } from './rule-words'

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
  { id: 'rule', label: 'Rule', minWidth: 250, grows: true, main: true, cell: (row) => <Rule row={row} foreign={foreign} /> },
  { ...detail, id: 'port', label: 'Port', minWidth: 144, leaves: 4, cell: ({ words }) => words.port },
  { ...detail, id: 'protocol', label: 'Protocol', minWidth: 88, leaves: 3, cell: ({ words }) => words.protocol },
  { ...detail, id: 'families', label: 'IP', minWidth: 88, leaves: 1, cell: ({ families }) => familyWords[families] },
  { ...detail, id: 'action', label: 'Action', minWidth: 84, leaves: 2, cell: ({ words }) => words.action },
  { ...detail, id: 'from', label: 'From', minWidth: 160, leaves: 5, cell: ({ words }) => words.from },
]

function Rule({ row, foreign }: { row: RuleRow; foreign: boolean }) {
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
