import { Button } from '../../../../_ui/button'
import { Dialog, DialogActions } from '../../../../_ui/dialog'

type SwitchOffDialogProps = { name: string; onClose: () => void; onSwitchOff: () => void }

/** Asks once: what it means is said here, and switching it on again is one click. */
export function SwitchOffDialog({ name, onClose, onSwitchOff }: SwitchOffDialogProps) {
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Switch the firewall off?"
      description={`Every port of ${name} that a program listens on can then be reached from everywhere. The rules are kept.`}
    >
      <div className="mt-6">
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="warn-solid" onClick={onSwitchOff}>
            Switch off
          </Button>
        </DialogActions>
      </div>
    </Dialog>
  )
}
