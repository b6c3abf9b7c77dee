import { useForeign } from '../../../../_shared/foreign-service'
import { Button } from '../../../../_ui/button'
import { Dialog, DialogActions } from '../../../../_ui/dialog'

type SwitchOffProps = { onClose: () => void; onSwitchOff: () => void }

/** Explains the effect and asks once, without typing: it can be undone. */
export function SwitchOff({ onClose, onSwitchOff }: SwitchOffProps) {
  const foreign = useForeign()
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Turn off SSL?"
      description={
        <>
          <p>
            Addresses that begin with https:// no longer answer. Visitors who follow such a link, or whose browser remembers https, get an
            error.
          </p>
          <p className="mt-1.5">
            {foreign ? 'The service decides whether the certificate is kept.' : 'The certificate is kept for when you turn SSL on again.'}
          </p>
        </>
      }
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
