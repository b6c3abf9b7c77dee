'use client'

import { Trash2 } from 'lucide-react'
import { useForeign } from '../../../../_shared/foreign-service'
import { Button } from '../../../../_ui/button'
import { Card } from '../../../../_ui/card'
import { PlainTable } from '../../../../_ui/plain-table'
import type { RuleRow } from './rule-rows'
import { formatRuleSentence } from './rule-words'

const columns = [
  { name: 'Rule' },
  { name: 'Port', className: 'w-36 max-desktop:hidden' },
  { name: 'Protocol', className: 'w-20 max-desktop:hidden' },
  { name: 'IP', className: 'w-20 max-desktop:hidden' },
  { name: 'Action', className: 'w-20 max-desktop:hidden' },
  { name: 'From', className: 'w-44 max-desktop:hidden' },
]

const actionsColumn = { name: 'Actions', className: 'w-16', nameHidden: true } as const

const cell = 'px-3 py-2.5 align-top first:pl-4 last:pr-4'
const detail = `${cell} font-mono text-code text-muted max-desktop:hidden`

type RuleTableProps = {
  rows: readonly RuleRow[]
  /** The key of the row that is being changed. */
  busy: string | null
  mayChange: boolean
  onDelete: (row: RuleRow) => void
}

const familyWords = { both: 'v4, v6', v4: 'v4', v6: 'v6' } as const

/** Rules in order of evaluation: the first match wins. On small screens only the sentence is shown. */
export function RuleTable({ rows, ...row }: RuleTableProps) {
  return (
    <Card className="overflow-hidden">
      <PlainTable caption="Firewall rules" className="" columns={row.mayChange ? [...columns, actionsColumn] : columns}>
        <tbody className="divide-y divide-line">
          {rows.map((each) => (
            <Row key={each.key} row={each} {...row} />
          ))}
        </tbody>
      </PlainTable>
    </Card>
  )
}

function Row({ row, busy, mayChange, onDelete }: Omit<RuleTableProps, 'rows'> & { row: RuleRow }) {
  const foreign = useForeign()
  const { rule, words, families } = row
  // The order of evaluation is known only for our own service.
  const idle = foreign ? null : row.idle
  const sentence = formatRuleSentence(rule, words)
  return (
    <tr aria-busy={busy === row.key}>
      <td className={cell}>
        <span className={`block wrap-anywhere ${idle ? 'text-muted' : 'font-semibold'}`}>{sentence}</span>
        {families === 'both' ? null : <span className="block text-small text-muted">{`For IP${families} only.`}</span>}
        {rule === null && !foreign ? <span className="block text-small text-muted">Has options that Gatehouse cannot change.</span> : null}
        {idle ? <IdleNote {...idle} /> : null}
      </td>
      <td className={detail}>{words.port}</td>
      <td className={detail}>{words.protocol}</td>
      <td className={detail}>{familyWords[families]}</td>
      <td className={detail}>{words.action}</td>
      <td className={`${detail} wrap-anywhere`}>{words.from}</td>
      {mayChange ? (
        <td className={`${cell} text-right`}>
          <Button
            variant="ghost"
            icon
            className="-my-1"
            aria-label={`Delete: ${sentence}${families === 'both' ? '' : `, IP${families}`}`}
            disabled={busy !== null}
            onClick={() => onDelete(row)}
          >
            <Trash2 aria-hidden size={16} strokeWidth={1.5} />
          </Button>
        </td>
      ) : null}
    </tr>
  )
}

/** Why a rule has no effect, so that nobody relies on it. */
function IdleNote({ kind, by }: NonNullable<RuleRow['idle']>) {
  const earlier = formatRuleSentence(by.rule, by.words)
  return (
    <span className="block text-small text-warn">
      {kind === 'duplicate' ? `No effect: “${earlier}” above already does this.` : `No effect: “${earlier}” above matches first.`}
    </span>
  )
}
