'use client'

import Link from 'next/link'
import { useState } from 'react'
import type { ServerRow } from '@/lib/portal/servers/row'
import { Button } from '../../_ui/button'
import { RelativeTime } from '../../_ui/relative-time'
import { Sheet } from '../../_ui/sheet'
import { StateChip } from '../../_ui/state-chip'
import { Tag } from '../../_ui/tag'
import { lookOf } from './server-state'

/** So many rows at a time keep the page light with thousands of servers; the filter searches all of them. */
const pageRows = 60

const head = 'h-9 px-3 text-left text-small font-medium text-muted first:pl-4 last:pr-4'
const cell = 'h-row px-3 py-row-gap first:pl-4 last:pr-4'

/** One row per server. On a phone the columns fold under the name. */
export function ServerTable({ servers }: { servers: readonly ServerRow[] }) {
  const [rows, setRows] = useState(pageRows)
  const rest = servers.length - rows
  return (
    <>
      <Sheet className="overflow-hidden">
        <table className="w-full table-fixed border-collapse">
          <caption className="sr-only">Servers</caption>
          <thead className="border-b border-line max-tablet:sr-only">
            <tr>
              <th scope="col" className={`${head} w-36 max-tablet:hidden`}>
                State
              </th>
              <th scope="col" className={head}>
                Name
              </th>
              <th scope="col" className={`${head} max-tablet:hidden`}>
                Hostname
              </th>
              <th scope="col" className={`${head} w-32 max-desktop:hidden`}>
                DNS
              </th>
              <th scope="col" className={`${head} w-40 max-tablet:hidden`}>
                Provider
              </th>
              <th scope="col" className={`${head} w-36 max-desktop:hidden`}>
                Last listed
              </th>
            </tr>
          </thead>
          <tbody className="divide-y divide-line">
            {servers.slice(0, rows).map((server) => (
              <ServerLine key={server.id} server={server} />
            ))}
          </tbody>
        </table>
      </Sheet>
      {rest > 0 ? (
        <div>
          <Button onClick={() => setRows(rows + pageRows)}>Show {Math.min(rest, pageRows)} more</Button>
        </div>
      ) : null}
    </>
  )
}

function ServerLine({ server }: { server: ServerRow }) {
  const look = lookOf(server)
  const provider = server.sandbox ? <Tag word="Sandbox" look="sandbox" /> : <span className="truncate">{sayProvider(server)}</span>
  return (
    <tr className="relative hover:bg-selected has-focus-visible:bg-selected">
      <td className={`${cell} max-tablet:hidden`}>
        <StateChip {...look} />
      </td>
      <td className={`${cell} max-tablet:py-3`}>
        {/* The link covers its row: the whole of it can be clicked, and there is one name to read. */}
        <Link
          href={`/servers/${server.id}`}
          prefetch={false}
          className="font-semibold break-words after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:rounded-control focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-focus"
        >
          {server.name}
        </Link>
        <span className="flex flex-col items-start gap-1.5 pt-0.5 tablet:hidden">
          <span className="font-mono text-code break-all text-muted">{server.hostname}</span>
          <span className="flex flex-wrap gap-1.5">
            <StateChip {...look} />
            {server.sandbox ? provider : null}
          </span>
        </span>
      </td>
      <td className={`${cell} truncate font-mono text-code max-tablet:hidden`}>{server.hostname}</td>
      <td className={`${cell} truncate text-muted max-desktop:hidden`}>{server.dns || 'Not given'}</td>
      <td className={`${cell} text-muted max-tablet:hidden`}>{provider}</td>
      <td className={`${cell} text-small text-muted max-desktop:hidden`}>
        <RelativeTime at={server.listedAt} />
      </td>
    </tr>
  )
}

const providers: Record<string, string> = { ssh: 'Own server', custom: 'Own server' }

/** A service that does not say what it is on is at least known itself. */
const sayProvider = (server: ServerRow): string => providers[server.provider] ?? (server.provider || server.connectionLabel)
