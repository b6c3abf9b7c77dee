'use client'

import { Plus, Search } from 'lucide-react'
import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import type { Outcome } from '@/lib/contract/problem'
import type { ServerList } from '../../_shared/server-list'
import { useRead } from '../../_shared/use-read'
import { Button, ButtonLink } from '../../_ui/button'
import { EmptyState } from '../../_ui/empty-state'
import { PageBody, PageHead } from '../../_ui/page-head'
import { Sheet } from '../../_ui/sheet'
import { ConnectionNotices } from './connection-notices'
import { ServerTable } from './server-table'

/** Every word has to be found somewhere in the row. */
const matches = (haystack: string, words: readonly string[]): boolean => words.every((word) => haystack.includes(word))

/** The list of servers: read anew every 15 s while seen, filtered in memory. */
export function ServersView({ first, mayAdd }: { first: Outcome<ServerList>; mayAdd: boolean }) {
  const { data, problem, readAt } = useRead<ServerList>('/api/servers', { first, everyMs: 15_000 })
  const [filter, setFilter] = useState('')
  const wanted = useDeferredValue(filter)
  const servers = useMemo(() => data?.servers ?? [], [data])
  const index = useMemo(
    () =>
      servers.map((server) => ({
        server,
        text: [server.name, server.hostname, server.dns, server.connectionLabel, server.sandbox ? 'sandbox' : ''].join(' ').toLowerCase(),
      })),
    [servers],
  )
  const shown = useMemo(() => {
    const words = wanted.toLowerCase().split(/\s+/).filter(Boolean)
    return index.filter(({ text }) => matches(text, words)).map(({ server }) => server)
  }, [index, wanted])
  return (
    <>
      <PageHead title="Servers" actions={mayAdd ? <AddButton /> : null} />
      <PageBody>
        <ConnectionNotices connections={data?.connections ?? []} servers={servers} problem={problem} readAt={readAt} />
        {servers.length === 0 ? (
          <NoServers mayAdd={mayAdd} />
        ) : (
          <div className="flex flex-col gap-3">
            <FilterBox value={filter} onChange={setFilter} shown={shown.length} all={servers.length} />
            {shown.length > 0 ? (
              <ServerTable servers={shown} />
            ) : (
              <Sheet>
                <EmptyState title="No server fits this filter" actions={<Button onClick={() => setFilter('')}>Clear the filter</Button>}>
                  <p>Name, hostname, DNS and connection are searched. Every word has to fit.</p>
                </EmptyState>
              </Sheet>
            )}
          </div>
        )}
      </PageBody>
    </>
  )
}

const AddButton = () => (
  <ButtonLink href="/servers/new" look="primary">
    <Plus aria-hidden size={16} strokeWidth={1.5} />
    Add server
  </ButtonLink>
)

function NoServers({ mayAdd }: { mayAdd: boolean }) {
  const actions = mayAdd ? <ButtonLink href="/servers/new?provider=sandbox">Try with a sandbox server</ButtonLink> : null
  return (
    <Sheet>
      <EmptyState title="No servers yet" actions={actions}>
        <p>
          A server is a Debian machine you can reach by SSH. Add one, watch it being installed, and find its disk, memory and updates here.
        </p>
        {mayAdd ? (
          <p>
            What you need is its address and a way in, for example <code className="font-mono text-code text-ink">root@203.0.113.24</code>.
            No machine at hand? A sandbox server is simulated and touches nothing.
          </p>
        ) : (
          <p>Your role is to look on. An owner, admin or operator of the team can add the first one.</p>
        )}
      </EmptyState>
    </Sheet>
  )
}

type FilterBoxProps = { value: string; onChange: (value: string) => void; shown: number; all: number }

function FilterBox({ value, onChange, shown, all }: FilterBoxProps) {
  const box = useRef<HTMLInputElement>(null)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const typing = event.target instanceof HTMLElement && event.target.closest('input, textarea, select, [role=dialog], [role=menu]')
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || typing) return
      event.preventDefault()
      box.current?.focus()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
      <div className="relative w-full tablet:w-80">
        <Search
          aria-hidden
          size={16}
          strokeWidth={1.5}
          className="pointer-events-none absolute top-1/2 left-2.5 -translate-y-1/2 text-muted"
        />
        <input
          ref={box}
          type="search"
          aria-label="Filter servers"
          placeholder="Filter servers"
          value={value}
          onChange={(event) => onChange(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape') onChange('')
          }}
          className="h-8 touch:h-10 w-full rounded-control border border-line-strong bg-surface pr-9 pl-8 text-body touch:text-control-touch [&::-webkit-search-cancel-button]:hidden"
        />
        <kbd
          aria-hidden
          className="pointer-events-none absolute top-1/2 right-2 -translate-y-1/2 rounded-control border border-line px-1.5 font-sans text-chip text-muted touch:hidden"
        >
          /
        </kbd>
      </div>
      <p role="status" className="text-small text-muted">
        {value === '' ? (all === 1 ? '1 server' : `${all} servers`) : `${shown} of ${all} servers`}
      </p>
    </div>
  )
}
