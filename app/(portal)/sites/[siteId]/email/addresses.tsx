'use client'

import { Plus } from 'lucide-react'
import { type ReactNode, useMemo, useState } from 'react'
import { oneByOne } from '@/app/_shared/batches/follow-batch'
import { Collection } from '@/app/_shared/collection/collection'
import { useCollection } from '@/app/_shared/collection/use-collection'
import { menuIdOf, useRemoval } from '@/app/_shared/collection/use-removal'
import { useForeign } from '@/app/_shared/connections/foreign-service'
import { operationRead } from '@/app/_shared/reads/read-address'
import { EarlyButton } from '@/app/_ui/early-button'
import { EmptyState } from '@/app/_ui/empty-state'
import { lazyComponent } from '@/app/_ui/lazy'
import { MenuItem } from '@/app/_ui/menu'
import { Card } from '@/app/_ui/section'
import type { Answer } from '@/lib/contract/operation'
import type { email } from '@/lib/contract/operations/email'
import { deleteAddress } from '../actions'
import { type AddressRow, addressCollection, addressColumns, addressRows } from './address-columns'

const AddressForm = lazyComponent(() => import('./address-form').then((file) => file.AddressForm))
const SetAddressPassword = lazyComponent(() => import('./address-form').then((file) => file.SetAddressPassword))

type AddressesProps = {
  siteId: string
  domain: string
  on: boolean
  listed: Answer<typeof email.get>['item'][0]['emails']
  may: boolean
  /** Passwords work. */
  secure: boolean
}

/** What is being asked for. row null: a new address. */
type Asking = { form: 'address' | 'password'; row: AddressRow | null }

const addId = 'add-address'

/** The addresses of a site's domain, and where each forwards to. */
export function Addresses({ siteId, domain, on, listed, may, secure }: AddressesProps) {
  const refetch = [operationRead('email.get', { siteId })]
  const [asking, setAsking] = useState<Asking | null>(null)
  const { removing, controls } = useRemoval<AddressRow>({
    may,
    refetch,
    nameOf: addressCollection.nameOf,
    lost: 'Undo does not restore a password.',
    removal: ({ id }) => ({ action: deleteAddress, fields: { siteId, user: id } }),
    batch: (selected) =>
      oneByOne(
        'email.delete',
        siteId,
        selected.map(({ id }) => ({ user: id })),
      ),
    items: (row) => (
      <>
        <MenuItem onSelect={() => setAsking({ form: 'address', row })}>Change destination</MenuItem>
        <MenuItem onSelect={() => setAsking({ form: 'password', row })}>Set password</MenuItem>
      </>
    ),
  })
  const rows = useMemo(() => addressRows(listed, domain, removing), [listed, domain, removing])
  const collection = useCollection(addressCollection, rows)
  const close = () => {
    const id = asking?.row ? menuIdOf(asking.row) : addId
    setAsking(null)
    // Opened from a menu that is gone now, so the focus returns to that menu's button, if its row still exists.
    requestAnimationFrame(() => (document.getElementById(id) ?? document.getElementById(addId))?.focus())
  }
  const addButton = may ? (
    <EarlyButton id={addId} variant="primary" onClick={() => setAsking({ form: 'address', row: null })}>
      <Plus aria-hidden size={16} strokeWidth={1.5} />
      Add address
    </EarlyButton>
  ) : null
  const dialog = { siteId, domain, secure, refetch, onClose: close }
  return (
    <>
      <Collection
        collection={collection}
        columns={addressColumns}
        {...controls}
        title="Addresses"
        aside={rows.length > 0 ? addButton : undefined}
        before={!on && rows.length > 0 ? <p className="text-muted">Email is off, so these addresses get no mail.</p> : undefined}
        empty={<NoAddresses action={addButton} />}
      />
      {asking?.form === 'address' ? <AddressForm {...dialog} row={asking.row} known={rows} /> : null}
      {asking?.form === 'password' && asking.row ? <SetAddressPassword {...dialog} row={asking.row} /> : null}
    </>
  )
}

function NoAddresses({ action }: { action: ReactNode }) {
  const foreign = useForeign()
  return (
    <Card>
      <EmptyState title="No addresses yet" actions={action}>
        <p>
          {foreign
            ? 'The service lists no addresses of this site.'
            : 'An address of this domain forwards its mail to a mailbox that you have elsewhere. With a password it can also send.'}
        </p>
      </EmptyState>
    </Card>
  )
}
