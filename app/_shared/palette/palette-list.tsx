'use client'

import { clsx } from 'clsx'
import { Fragment, useEffect, useRef } from 'react'
import { Tag } from '@/app/_ui/label-chip'
import { Kbd, keysOf } from '../keyboard/shortcuts'
import type { PaletteItem } from './page-items'
import type { PaletteGroup } from './palette-items'

type PaletteListProps = {
  id: string
  groups: readonly PaletteGroup[]
  /** Index of the active option across all groups. */
  active: number
  onPoint: (index: number) => void
  onTake: (item: PaletteItem) => void
  query: string
  /** Why no servers are listed yet; empty once they are. */
  waiting: string
}

export function PaletteList({ id, groups, active, onPoint, onTake, query, waiting }: PaletteListProps) {
  const box = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls the active option into view whenever it changes
  useEffect(() => {
    box.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [active, groups])
  const count = groups.reduce((sum, { items }) => sum + items.length, 0)
  const said = count === 0 ? `No matches for “${query.trim()}”.` : query.trim() === '' ? '' : count === 1 ? '1 result' : `${count} results`
  const places = new Map(groups.flatMap(({ items }) => items).map((item, place) => [item, place]))
  return (
    <>
      <div ref={box} id={id} role="listbox" aria-label="Results" className="min-h-0 overflow-y-auto overscroll-contain p-1.5 empty:hidden">
        {groups.map(({ title, items }) =>
          items.length === 0 ? null : (
            <Fragment key={title}>
              <p aria-hidden className={clsx('px-2.5 pt-2 pb-1 text-small text-muted', title === 'Results' && 'hidden')}>
                {title}
              </p>
              {items.map((item) => (
                <Option
                  key={item.id}
                  item={item}
                  index={places.get(item) ?? 0}
                  active={active}
                  onPoint={onPoint}
                  onTake={onTake}
                  typed={query !== ''}
                />
              ))}
            </Fragment>
          ),
        )}
      </div>
      <p
        role="status"
        className={clsx('px-4 text-small text-muted', count === 0 ? 'py-4' : waiting ? 'border-t border-line py-2' : 'sr-only')}
      >
        {waiting && count === 0 ? waiting : said || waiting}
      </p>
    </>
  )
}

type OptionProps = Pick<PaletteListProps, 'active' | 'onPoint' | 'onTake'> & { item: PaletteItem; index: number; typed: boolean }

function Option({ item, index, active, onPoint, onTake, typed }: OptionProps) {
  const { name, kind, Icon, note, sandbox, strokes } = item
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the focus and handles Enter
    <div
      id={optionId(index)}
      role="option"
      tabIndex={-1}
      aria-selected={index === active}
      onMouseMove={() => index !== active && onPoint(index)}
      onClick={() => onTake(item)}
      className="flex min-h-9 cursor-pointer items-center gap-2.5 rounded-control px-2.5 py-1 touch:min-h-11 aria-selected:bg-accent-soft"
    >
      <Icon aria-hidden size={16} strokeWidth={1.5} className="shrink-0 text-muted" />
      <span className="min-w-0 truncate">{name}</span>
      {note ? <span className="min-w-0 flex-1 truncate font-mono text-code text-muted max-tablet:hidden">{note}</span> : null}
      <span className="ml-auto flex shrink-0 items-center gap-1">
        {sandbox ? <Tag label="Sandbox" variant="sandbox" /> : null}
        {strokes ? (
          <span aria-hidden className="flex gap-1 touch:hidden">
            {strokes.map((stroke) => keysOf(stroke, false).map((key) => <Kbd key={key} text={key} />))}
          </span>
        ) : null}
        {typed ? <span className="text-small text-muted">{kind}</span> : null}
      </span>
    </div>
  )
}

/** The DOM id of an option of the palette, for the search field's aria-activedescendant. */
export const optionId = (index: number): string => `palette-option-${index}`
