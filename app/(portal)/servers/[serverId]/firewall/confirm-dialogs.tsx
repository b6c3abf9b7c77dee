'use client'

import { ConfirmSwitchOff } from '@/app/_shared/dialogs/confirm-destroy'
import { Button } from '@/app/_ui/button'
import { Dialog, DialogActions } from '@/app/_ui/dialog'
import { formatRuleSentence, type RuleRow, useWayInWords } from './rules'

type SwitchOffDialogProps = { name: string; onClose: () => void; onSwitchOff: () => void }

export const SwitchOffDialog = ({ name, ...handlers }: SwitchOffDialogProps) => (
  <ConfirmSwitchOff
    title="Turn the firewall off?"
    description={`Every listening port of ${name} becomes reachable from anywhere. The rules are kept.`}
    {...handlers}
  />
)

/** final: it cannot be restored from here. way-in: Gatehouse itself connects through it. */
export type DeleteRisk = 'final' | 'way-in'

type DeleteDialogProps = { row: RuleRow; risk: DeleteRisk; undoes: boolean; onClose: () => void; onDelete: () => void }

const final = {
  title: 'Delete this rule for good?',
  description: 'This rule has options that Gatehouse does not support. It can be deleted, but not restored.',
  button: 'Delete for good',
}

/** Asks before deleting a rule that should not be deleted casually. */
export function DeleteDialog({ row, risk, undoes, onClose, onDelete }: DeleteDialogProps) {
  const wayIn = useWayInWords()
  const { title, description, button } = risk === 'way-in' ? wayIn : final
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
