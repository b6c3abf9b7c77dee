import type { ReactNode } from 'react'
import { Button } from '../../_ui/button'
import { Dialog, DialogActions } from '../../_ui/dialog'

type ConfirmSwitchOffProps = { title: string; description: ReactNode; onClose: () => void; onSwitchOff: () => void }

/** Explains the effect and asks once, without typing: one click turns it on again. */
export const ConfirmSwitchOff = ({ title, description, onClose, onSwitchOff }: ConfirmSwitchOffProps) => (
  <Dialog open onOpenChange={onClose} title={title} description={description}>
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
