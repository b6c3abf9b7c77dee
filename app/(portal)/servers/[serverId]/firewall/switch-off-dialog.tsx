import { ConfirmSwitchOff } from '@/app/_shared/dialogs/confirm-destroy'

type SwitchOffDialogProps = { name: string; onClose: () => void; onSwitchOff: () => void }

export const SwitchOffDialog = ({ name, ...handlers }: SwitchOffDialogProps) => (
  <ConfirmSwitchOff
    title="Turn the firewall off?"
    description={`Every listening port of ${name} becomes reachable from anywhere. The rules are kept.`}
    {...handlers}
  />
)
