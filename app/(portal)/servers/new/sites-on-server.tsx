'use client'

import { useEffect, useRef } from 'react'
import { ButtonLink } from '@/app/_ui/button'
import { CodeBlock } from '@/app/_ui/code-block'
import { Notice } from '@/app/_ui/notice'
import { Card } from '@/app/_ui/section'
import { toReadableDomain } from '@/lib/text/idn'

/** Which sites of the account come back with the server. Nothing is added before the user has confirmed it. */
export function ComingBack({ sentence }: { sentence: string }) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => box.current?.focus(), [])
  return (
    <div ref={box} tabIndex={-1} className="outline-none">
      <Notice tone="info" alert title={sentence}>
        They keep their ids, jobs and history. Nothing on the server changes for their visitors.
      </Notice>
    </div>
  )
}

type HeldSitesProps = {
  serverId: string
  adopted: readonly string[]
  held: readonly { domain: string; owner: string }[]
  takeOver: string
}

const maxNamed = 50

/** The server is added, and has sites that belong to others: whose they are, and how root takes them over. */
export function HeldSites({ serverId, adopted, held, takeOver }: HeldSitesProps) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => box.current?.focus(), [])
  return (
    <Card ref={box} tabIndex={-1} role="group" aria-label="Sites of others" className="flex max-w-[640px] flex-col gap-3 p-4 outline-none">
      <h2 className="text-section font-strong">The server was added. Some of its sites belong to others.</h2>
      {adopted.length > 0 ? <p>These came back with it: {adopted.map(toReadableDomain).join(', ')}.</p> : null}
      <ul className="flex flex-col gap-1">
        {held.slice(0, maxNamed).map(({ domain, owner }) => (
          <li key={domain} className="wrap-anywhere">
            <span className="font-semibold">{toReadableDomain(domain)}</span>{' '}
            <span className="text-small text-muted">
              {owner === '' ? 'made by an earlier version; another Gatehouse logs in to this server' : `account ${owner}`}
            </span>
          </li>
        ))}
      </ul>
      {held.length > maxNamed ? <p className="text-muted">and {held.length - maxNamed} more</p> : null}
      <p className="text-muted">
        They are in no list here, and their names cannot be used. To take them over, run this on the server as root, then delete the server
        here and add it again. The other account loses them.
      </p>
      {takeOver === '' ? null : <CodeBlock text={takeOver} what="the command" />}
      <div>
        <ButtonLink href={`/servers/${serverId}/install`} variant="primary">
          Continue
        </ButtonLink>
      </div>
    </Card>
  )
}
