import { Button } from '@/app/_ui/button'
import { Dialog, DialogActions } from '@/app/_ui/dialog'
import { toReadableDomain } from '@/lib/text/idn'

type TurnOnAnywayProps = { domain: string; elsewhere: string; onClose: () => void; onTurnOn: () => void }

/** Asked once where DNS sends the domain's mail to another mail server. */
export function TurnOnAnyway({ domain, elsewhere, onClose, onTurnOn }: TurnOnAnywayProps) {
  const readable = toReadableDomain(domain)
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Turn on email although DNS names another mail server?"
      description={
        <>
          <p className="wrap-anywhere">
            Mail for {readable} goes to <strong className="font-semibold text-ink">{elsewhere}</strong> now. With email on, mail that this
            server’s own sites and programs send to {readable} stays on this server and no longer reaches mailboxes there.
          </p>
          <p className="mt-1.5">Turn it on if you are about to change the MX record to this server.</p>
        </>
      }
    >
      <div className="mt-6">
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="warn-solid" onClick={onTurnOn}>
            Turn on anyway
          </Button>
        </DialogActions>
      </div>
    </Dialog>
  )
}
