import { Button } from '../../../../_ui/button'
import { Dialog, DialogActions } from '../../../../_ui/dialog'

type SwitchOffDialogProps = { name: string; onClose: () => void; onSwitchOff: () => void }

/** Explains the effect and asks once, without typing: one click turns the firewall on again. */
export function SwitchOffDialog({ name, onClose, onSwitchOff }: SwitchOffDialogProps) {
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Turn the firewall off?"
      description={`Every listening port of ${name} becomes reachable from anywhere. The rules are kept.`}
    >
      <div className="mt-6">
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="warn-solid" onClick={onSwitchOff}>
            Turn off
          </Button>
        </DialogActions>
      </div>
    </Dialog>
  )
}
