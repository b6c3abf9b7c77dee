'use client'

import { useState } from 'react'
import { useForeign } from '@/app/_shared/connections/foreign-service'
import { ActionForm } from '@/app/_shared/forms/action-form'
import { limitsOf } from '@/app/_shared/forms/field-limits'
import { createPassword, NewPasswordField } from '@/app/_shared/passwords/new-password-field'
import { SetPassword, ShownPassword } from '@/app/_shared/passwords/set-password'
import type { AnyRead } from '@/app/_shared/reads/read-address'
import { showDone } from '@/app/_shared/undo/undoable'
import { Button } from '@/app/_ui/button'
import { Dialog, DialogActions } from '@/app/_ui/dialog'
import { Field } from '@/app/_ui/field'
import { Input } from '@/app/_ui/input'
import { addressUser, forwardAddress } from '@/lib/contract/fields'
import { toReadableDomain } from '@/lib/text/idn'
import { saveAddress } from '../actions'
import { type AddressRow, addressOf } from './address-columns'
import { SendingFacts } from './mail-program'

type SetAddressPasswordProps = {
  siteId: string
  domain: string
  row: AddressRow
  secure: boolean
  refetch: readonly AnyRead[]
  onClose: () => void
}

/** Sets the password with which an address sends. Where it forwards to stays. */
export function SetAddressPassword({ siteId, domain, row, secure, refetch, onClose }: SetAddressPasswordProps) {
  const foreign = useForeign()
  const { id, address, destination } = row
  return (
    <SetPassword
      action={saveAddress}
      refetch={refetch}
      onClose={onClose}
      target={{ siteId, user: id, destination, seen: destination }}
      field="password"
      what="this address"
      description={
        foreign ? (
          `The service sets the password of ${address}.`
        ) : (
          <>
            A mail program sends from <strong className="font-semibold text-ink wrap-anywhere">{address}</strong> only with the new password
            from now on.
          </>
        )
      }
      describeDone={() => ({
        title: `The password of ${address} was set`,
        next: foreign ? undefined : <SendingFacts domain={domain} user={addressOf(id, domain)} secure={secure} />,
      })}
    />
  )
}

type AddressFormProps = {
  siteId: string
  domain: string
  /** Null to add one. */
  row: AddressRow | null
  /** Those that are there. */
  known: readonly AddressRow[]
  secure: boolean
  refetch: readonly AnyRead[]
  onClose: () => void
}

/** Adds an address, or changes where it forwards to. A password is shown once; whatever was done can be undone when the dialog is gone. */
export function AddressForm({ siteId, domain, row, known, secure, refetch, onClose }: AddressFormProps) {
  const foreign = useForeign()
  const adds = row === null
  const [user, setUser] = useState(row?.id ?? '')
  const [destination, setDestination] = useState(row?.destination ?? '')
  const [password, setPassword] = useState(createPassword)
  const [chosen, setChosen] = useState(foreign && adds)
  const [done, setDone] = useState<{ undo: string | null } | null>(null)
  const readable = toReadableDomain(domain)
  const name = user.trim()
  const address = row?.address ?? addressOf(name, readable)
  const message = adds ? `${address} was added.` : `${address} forwards to ${destination.trim()}.`
  const finish = (undo: string | null) => {
    onClose()
    showDone(message, undo, { refetch })
  }
  if (done) {
    return (
      <ShownPassword title={message} value={password} onClose={() => finish(done.undo)}>
        {foreign ? null : <SendingFacts domain={domain} user={addressOf(name, domain)} secure={secure} />}
      </ShownPassword>
    )
  }
  const present = adds && known.some(({ id }) => id.toLowerCase() === name.toLowerCase())
  return (
    <Dialog open onOpenChange={onClose} title={adds ? 'Add address' : 'Change destination'} description={describe(row, readable, foreign)}>
      <ActionForm
        action={saveAddress}
        refetch={refetch}
        onDone={({ undo }) => (chosen ? setDone({ undo }) : finish(undo))}
        className="mt-4 flex flex-col gap-4"
      >
        {(pending) => (
          <>
            <input type="hidden" name="siteId" value={siteId} />
            {row ? <Hidden row={row} /> : <input type="hidden" name="adds" value="1" />}
            {adds ? (
              <Field
                name="user"
                label="Name"
                hint={present ? 'This address exists already. Change it in the list.' : `Before @${readable}.`}
              >
                {(control) => (
                  <Input
                    {...control}
                    {...plain}
                    {...limitsOfName(domain)}
                    placeholder="info"
                    value={user}
                    onChange={(event) => setUser(event.target.value)}
                  />
                )}
              </Field>
            ) : null}
            <Field name="destination" label="Forward to" hint={foreign ? undefined : 'One address at a mail provider.'}>
              {(control) => (
                <Input
                  {...control}
                  {...plain}
                  {...limitsOf(forwardAddress)}
                  inputMode="email"
                  placeholder="anna@example.net"
                  value={destination}
                  onChange={(event) => setDestination(event.target.value)}
                />
              )}
            </Field>
            {adds || foreign ? (
              <PasswordChoice
                {...passwordWords(adds, foreign, secure)}
                value={password}
                onChange={setPassword}
                chosen={chosen}
                onChoose={setChosen}
              />
            ) : (
              <input type="hidden" name="password" value="" />
            )}
            <DialogActions>
              <Button onClick={onClose}>Cancel</Button>
              <Button type="submit" variant="primary" disabled={pending || present}>
                {pending ? 'Saving…' : adds ? 'Add address' : 'Change destination'}
              </Button>
            </DialogActions>
          </>
        )}
      </ActionForm>
    </Dialog>
  )
}

/** With room for the whole address, which may be entered too. */
const limitsOfName = (domain: string) => limitsOf({ ...addressUser, maxLength: addressUser.maxLength + `@${domain}`.length })

const plain = { code: true, required: true, autoComplete: 'off', autoCapitalize: 'off', spellCheck: false } as const

const Hidden = ({ row: { id, destination } }: { row: AddressRow }) => (
  <>
    <input type="hidden" name="user" value={id} />
    <input type="hidden" name="seen" value={destination} />
  </>
)

function describe(row: AddressRow | null, domain: string, foreign: boolean) {
  if (row === null)
    return <p className="wrap-anywhere">{foreign ? `The service adds an address at ${domain}.` : `Mail to it is forwarded.`}</p>
  return (
    <p className="wrap-anywhere">
      Mail to <strong className="font-semibold text-ink">{row.address}</strong> goes to the new address from now on.
    </p>
  )
}

function passwordWords(adds: boolean, foreign: boolean, secure: boolean): { label: string; hint: string } {
  if (!foreign)
    return {
      label: 'Let it send with a password',
      hint: secure
        ? 'A mail program can then send from this address.'
        : 'A mail program can then send from this address once SSL of this site is on.',
    }
  return adds
    ? { label: 'Set a password', hint: 'If not set, an empty password is sent.' }
    : {
        label: 'Set a new password too',
        hint: 'If not set, an empty password is sent. The service decides whether it keeps the current one.',
      }
}

type PasswordChoiceProps = {
  label: string
  hint: string
  /** Empty: none. */
  value: string
  onChange: (value: string) => void
  chosen: boolean
  onChoose: (chosen: boolean) => void
}

/** Whether a password is sent with an address, and which. Otherwise an empty one is sent, as the interface requires. */
function PasswordChoice({ label, hint, value, onChange, chosen, onChoose }: PasswordChoiceProps) {
  return (
    <>
      <label className="flex items-start gap-2">
        <input
          type="checkbox"
          checked={chosen}
          onChange={(event) => {
            onChoose(event.target.checked)
            if (event.target.checked && value === '') onChange(createPassword())
          }}
          className="mt-0.5 size-4 shrink-0 accent-accent"
        />
        <span>
          {label}
          <span className="block text-small text-muted">{hint}</span>
        </span>
      </label>
      {chosen ? (
        <NewPasswordField name="password" what="this address" value={value} onChange={onChange} />
      ) : (
        <input type="hidden" name="password" value="" />
      )}
    </>
  )
}
