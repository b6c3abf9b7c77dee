'use client'

import { clsx } from 'clsx'
import { Check } from 'lucide-react'
import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { countOf } from './count'
import { findable, findBest } from './match'

/** note: what else tells it apart, such as an address. */
export type Choice = { value: string; label: string; note?: string }

export const optionId = (listId: string, index: number): string => `${listId}-${index}`

/** More are not rendered: whoever sees that many types another letter. */
const maxShown = 200

/** For a search the best matches first; without one in their own order, the chosen one first if it would not be among them. */
export function choicesShown(choices: readonly Choice[], chosen: string, query: string): readonly Choice[] {
  if (query.trim() !== '') {
    const known = choices.map((choice) => findable(choice, choice.label, choice.note ?? ''))
    return findBest(known, query, maxShown)
  }
  const first = choices.slice(0, maxShown)
  const current = choices.find(({ value }) => value === chosen)
  return current && !first.includes(current) ? [current, ...first.slice(0, -1)] : first
}

type ChoiceListProps = {
  id: string
  field: RefObject<HTMLInputElement | null>
  shown: readonly Choice[]
  active: number
  chosen: string
  /** Of all choices. */
  count: number
  typed: string
  onPoint: (index: number) => void
  onTake: (choice: Choice) => void
}

/** The list below a Combobox, or above it where there is more room. In the top layer, so that no dialog cuts it off. */
export function ChoiceList({ id, field, shown, active, chosen, count, typed, onPoint, onTake }: ChoiceListProps) {
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const [list, input] = [box.current, field.current]
    if (!list || !input) return
    list.showPopover?.()
    const follow = () => Object.assign(list.style, placeBelow(input.getBoundingClientRect()))
    follow()
    addEventListener('scroll', follow, { capture: true, passive: true })
    addEventListener('resize', follow)
    visualViewport?.addEventListener('resize', follow)
    return () => {
      removeEventListener('scroll', follow, { capture: true })
      removeEventListener('resize', follow)
      visualViewport?.removeEventListener('resize', follow)
    }
  }, [field])
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls the active choice into view whenever it changes
  useEffect(() => {
    box.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [active, shown])
  const searched = typed.trim() !== ''
  const note =
    shown.length === 0
      ? `No matches for “${typed.trim()}”.`
      : searched
        ? countOf(shown.length, 'result')
        : shown.length < count
          ? `${countOf(count, 'choice')}. Type to search all of them.`
          : ''
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keeps the focus in the field
    <div
      ref={box}
      popover="manual"
      onMouseDown={(event) => event.preventDefault()}
      className="fixed inset-auto z-50 m-0 animate-appear flex-col overflow-hidden rounded-sheet border border-line bg-surface p-0 text-body text-ink shadow-float open:flex"
    >
      <div id={id} role="listbox" aria-label="Choices" className="min-h-0 overflow-y-auto overscroll-contain p-1 empty:hidden">
        {shown.map((choice, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus and handles Enter
          <div
            key={choice.value}
            id={optionId(id, index)}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            onMouseMove={() => index !== active && onPoint(index)}
            onClick={() => onTake(choice)}
            className="flex min-h-8 cursor-pointer items-center gap-2 rounded-control px-2 py-1 aria-selected:bg-accent-soft touch:min-h-11 forced-colors:aria-selected:outline-2 forced-colors:aria-selected:-outline-offset-2"
          >
            <Check
              aria-hidden
              size={16}
              strokeWidth={1.5}
              className={clsx('shrink-0 text-accent', choice.value === chosen ? '' : 'invisible')}
            />
            <span className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-3">
              <span className="min-w-0 wrap-anywhere">{choice.label}</span>
              {choice.note ? <span className="min-w-0 font-mono text-code wrap-anywhere text-muted">{choice.note}</span> : null}
            </span>
          </div>
        ))}
      </div>
      <p
        role="status"
        className={clsx('shrink-0 px-3 py-2 text-small text-muted empty:hidden', shown.length > 0 && 'border-t border-line')}
      >
        {note}
      </p>
    </div>
  )
}

const margin = 8
const gap = 4
const minWidth = 320
const maxHeight = 360

/** Where the list goes, as styles: as wide as the field or wider, on the side with more room, inside the window. */
function placeBelow({ left, top, bottom, width }: DOMRect): Partial<CSSStyleDeclaration> {
  const [wide, high] = [document.documentElement.clientWidth, visualViewport?.height ?? innerHeight]
  const own = Math.min(Math.max(width, minWidth), wide - 2 * margin)
  const [below, above] = [high - bottom - gap - margin, top - gap - margin]
  const upwards = below < maxHeight / 2 && above > below
  return {
    width: `${own}px`,
    left: `${Math.max(margin, Math.min(left, wide - margin - own))}px`,
    top: upwards ? 'auto' : `${bottom + gap}px`,
    bottom: upwards ? `${innerHeight - top + gap}px` : 'auto',
    maxHeight: `${Math.min(maxHeight, upwards ? above : below)}px`,
  }
}
