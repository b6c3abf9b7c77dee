'use client'

import { useForeign } from '../../../../_shared/foreign-service'
import { Button } from '../../../../_ui/button'
import { Dialog, DialogActions } from '../../../../_ui/dialog'
import type { RuleRow } from './rule-rows'
import { formatRuleSentence } from './rule-words'

/** final: it cannot be restored from here. way-in: Gatehouse itself connects through it. */
export type DeleteRisk = 'final' | 'way-in'

type DeleteDialogProps = { row: RuleRow; risk: DeleteRisk; undoes: boolean; onClose: () => void; onDelete: () => void }

const words = {
  final: {
    title: 'Delete this rule for good?',
    description: 'This rule has options that Gatehouse cannot write. It can be deleted, but not restored.',
    button: 'Delete for good',
  },
  'way-in': {
    title: 'Delete the rule that allows SSH?',
    description: 'No other rule allows SSH, so nobody could manage this server over SSH any more.',
    button: 'Delete rule',
  },
} as const

const foreignWayIn = {
  title: 'Delete the rule that allows SSH?',
  description: 'No other rule listed here allows SSH. Without one, the firewall may lock out whoever manages this server.',
  button: 'Delete rule',
}

/** Asks before deleting a rule that should not be deleted casually. */
export function DeleteDialog({ row, risk, undoes, onClose, onDelete }: DeleteDialogProps) {
  const foreign = useForeign()
  const { title, description, button } = risk === 'way-in' && foreign ? foreignWayIn : words[risk]
  const more = risk === 'way-in' && undoes ? ' If Gatehouse cannot log in afterwards, the server restores the rule automatically.' : ''
  return (
    <Dialog open onOpenChange={onClose} title={title} description={`${description}${more}`}>
      <p className="mt-3 mb-6 rounded-control bg-sunken p-2.5 wrap-anywhere">{formatRuleSentence(row.rule, row.words)}</p>
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button variant="danger-solid" onClick={onDelete}>
          {button}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
