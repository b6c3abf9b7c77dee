'use client'

import { useForeign } from '@/app/_shared/connections/foreign-service'
import { SetPassword } from '@/app/_shared/passwords/set-password'
import type { AnyRead } from '@/app/_shared/reads/read-address'
import { saveAddress } from './actions'
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
