'use client'

import { Search } from 'lucide-react'
import { usePathname } from 'next/navigation'
import * as Dialog from 'radix-ui/dialog'
import { useCallback, useDeferredValue, useMemo, useRef, useState } from 'react'
import { useTimeZone } from '../../_ui/clock'
import { openPage } from '../../_ui/opening'
import { focusContent, openOverlay } from '../keyboard/use-shortcuts'
import { leavePage } from '../leaving/hold'
import { usePreferences } from '../preferences/preferences'
import { portalRead } from '../reads/read-address'
import { useRead } from '../reads/use-read'
import { signOutWith } from '../session/sign-out'
import { askToBegin } from './begin-asked'
import { type PaletteItem, placeItems } from './page-items'
import { actionItems, findHere, groupsFor, jobItems, personItems, serverItems, siteItems } from './palette-items'
import { optionId, PaletteList } from './palette-list'
import { readRecents } from './recents'

type PaletteProps = { mayChange: boolean; signOut: () => Promise<unknown>; onClose: () => void }

const listId = 'palette-list'

/** Any server, page or action by a few letters. The arrow keys choose, Enter opens, Esc closes. */
export function Palette({ mayChange, signOut, onClose }: PaletteProps) {
  const [query, setQuery] = useState('')
  const [chosen, setChosen] = useState(0)
  const left = useRef(false)
  const shown = useDeferredValue(query)
  const { groupsOf, waiting } = useGroups(mayChange, signOut)
  const groups = useMemo(() => groupsOf(shown), [groupsOf, shown])
  const items = itemsIn(groups)
  const active = Math.min(chosen, items.length - 1)

  function take(item: PaletteItem | undefined) {
    if (!item) return
    left.current = true
    onClose()
    if (typeof item.does !== 'string') return item.does()
    const { does, begins } = item
    leavePage(() => {
      if (begins) askToBegin(does, begins)
      openPage(does)
    })
  }

  function onKeyDown(event: React.KeyboardEvent) {
    const last = items.length - 1
    const moves: Record<string, number> = {
      ArrowDown: active === last ? 0 : active + 1,
      ArrowUp: active <= 0 ? last : active - 1,
      PageDown: Math.min(last, active + 8),
      PageUp: Math.max(0, active - 8),
    }
    const next = moves[event.key]
    if (next !== undefined) setChosen(Math.max(0, next))
    // Whoever types fast means what they typed, not the list that is still on the screen.
    else if (event.key === 'Enter' && !event.nativeEvent.isComposing) take((shown === query ? items : itemsIn(groupsOf(query)))[active])
    else if (event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey)) onClose()
    else return
    event.preventDefault()
  }

  return (
    <Dialog.Root open onOpenChange={onClose}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 animate-appear bg-terminal/50" />
        <Dialog.Content
          aria-describedby={undefined}
          onCloseAutoFocus={(event) => {
            // After navigating, the focus stays on the new page instead of returning.
            if (!left.current) return
            event.preventDefault()
            focusContent()
          }}
          className="fixed top-[15vh] left-1/2 z-50 flex max-h-[70vh] w-[min(640px,calc(100vw-32px))] -translate-x-1/2 animate-appear flex-col overflow-hidden rounded-sheet border border-line bg-surface shadow-float max-tablet:top-4 max-tablet:max-h-[calc(100dvh-32px)]"
        >
          <Dialog.Title className="sr-only">Search</Dialog.Title>
          <div className="flex h-12 shrink-0 items-center gap-2.5 border-b border-line px-4">
            <Search aria-hidden size={16} strokeWidth={1.5} className="shrink-0 text-muted" />
            <input
              role="combobox"
              aria-label="Search servers, sites, pages and actions"
              aria-expanded
              aria-controls={listId}
              aria-autocomplete="list"
              aria-activedescendant={items.length > 0 ? optionId(active) : undefined}
              autoComplete="off"
              autoCapitalize="off"
              spellCheck={false}
              placeholder="Search servers, sites, pages and actions"
              value={query}
              onChange={(event) => {
                setQuery(event.target.value)
                setChosen(0)
              }}
              onKeyDown={onKeyDown}
              className="h-full min-w-0 flex-1 bg-transparent text-control-touch outline-none"
            />
          </div>
          <PaletteList id={listId} groups={groups} active={active} onPoint={setChosen} onTake={take} query={query} waiting={waiting} />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

type Groups = ReturnType<typeof groupsFor>

const itemsIn = (groups: Groups): PaletteItem[] => groups.flatMap((group) => group.items)

/** The groups for any query. Servers and sites are fetched when the palette first opens and refreshed while it is open. */
function useGroups(mayChange: boolean, signOut: () => Promise<unknown>) {
  const { change } = usePreferences()
  const { data, problem } = useRead(portalRead('/api/palette'), { everyMs: 30_000 })
  const subjects = useMemo(() => [...serverItems(data?.servers ?? [], mayChange), ...siteItems(data?.sites ?? [])], [data, mayChange])
  const { mayInvite = false, offersSandbox = false, requests = 0 } = data ?? {}
  const path = usePathname()
  const timeZone = useTimeZone()
  const here = useMemo(() => findHere(path, subjects, mayChange), [path, subjects, mayChange])
  const others = useMemo(
    () => [
      ...placeItems(new Date(), timeZone),
      ...personItems(data?.people ?? [], mayInvite),
      ...jobItems(data?.jobs ?? [], { timeZone, now: Date.now() }),
    ],
    [data, timeZone, mayInvite],
  )
  const actions = useMemo(
    () =>
      actionItems(
        { mayChange, mayInvite, offersSandbox, requests },
        {
          setTheme: (theme) => change({ theme }),
          signOut: () => void signOutWith(signOut),
          showShortcuts: () => openOverlay('shortcuts'),
        },
      ),
    [mayChange, mayInvite, offersSandbox, requests, change, signOut],
  )
  // As they were when the palette opened.
  const [recents] = useState(readRecents)
  const groupsOf = useCallback(
    (query: string): Groups => groupsFor(query, { here, subjects, others, actions, recents, mayChange }),
    [here, subjects, others, actions, recents, mayChange],
  )
  const waiting = data ? '' : problem ? `Servers and sites could not be read. ${problem.sentence}` : 'Reading servers and sites.'
  return { groupsOf, waiting }
}
