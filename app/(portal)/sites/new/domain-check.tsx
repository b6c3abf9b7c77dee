'use client'

import { portalRead } from '@/app/_shared/reads/read-address'
import { useRead } from '@/app/_shared/reads/use-read'
import { explainAddresses } from './explain-addresses'

type DomainCheckProps = { domain: string; host: { name: string; address: string } }

// Somebody may be setting the record meanwhile.
const everyMs = 15_000

/** Where the domain leads at present; nothing while that is not known. The site can be created in any case. */
export function DomainCheck({ domain, host }: DomainCheckProps) {
  const { data } = useRead(portalRead('/api/domain-check', { domain }), { everyMs })
  return (
    <p aria-live="polite" className="-mt-4 text-small text-muted break-words empty:hidden">
      {data?.addresses ? explainAddresses(domain, data.addresses, host) : null}
    </p>
  )
}
