import { useForeign } from '@/app/_shared/connections/foreign-service'
import { ConfirmSwitchOff } from '@/app/_shared/dialogs/confirm-switch-off'

type SwitchOffProps = { onClose: () => void; onSwitchOff: () => void }

export function SwitchOff(handlers: SwitchOffProps) {
  const foreign = useForeign()
  return (
    <ConfirmSwitchOff
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
      {...handlers}
    />
  )
}
