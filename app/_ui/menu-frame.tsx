'use client'

import { clsx } from 'clsx'
import type * as RadixMenu from 'radix-ui/dropdown-menu'
import {
  type ComponentProps,
  cloneElement,
  createContext,
  type FocusEvent,
  type ReactElement,
  type ReactNode,
  use,
  useRef,
  useState,
} from 'react'
import { lazy } from './lazy'

type MenuParts = typeof RadixMenu

const lazyMenu = lazy(() => import('radix-ui/dropdown-menu'))

const MenuPartsContext = createContext<MenuParts | null>(null)

/** The parts for the content of an open menu. */
export function useMenuParts(): MenuParts {
  const parts = use(MenuPartsContext)
  if (!parts) throw new Error('There is no menu around this item.')
  return parts
}

type MenuFrameProps = {
  /** A button. */
  trigger: ReactElement<ComponentProps<'button'>>
  side?: 'top' | 'bottom'
  align?: 'start' | 'end'
  className?: string
  /** Fetches what the items open, while the pointer or the focus is on the button. */
  prefetch?: () => void
  children: ReactNode
}

/**
 * A button and the menu it opens. The menu's code loads late: the placeholder button is replaced by the menu's own, never under a pointer
 * that is about to press it, and it keeps the focus.
 */
export function MenuFrame({ trigger, side = 'bottom', align = 'start', className, prefetch, children }: MenuFrameProps) {
  const [parts, setParts] = useState<MenuParts | null>(null)
  const asked = useRef({ open: false, focused: false, byKeyboard: false })
  const landmark = useRef<HTMLElement | null>(null)
  if (!parts) {
    const open = (byKeyboard: boolean) => {
      asked.current.open = true
      asked.current.byKeyboard = byKeyboard
      void lazyMenu.fetch().then(setParts)
    }
    const remember = (button: HTMLElement) => {
      landmark.current = button.closest<HTMLElement>('[popover], main, aside')
    }
    const waiting: ComponentProps<'button'> = {
      'aria-haspopup': 'menu',
      'aria-expanded': false,
      onPointerEnter: () => {
        void lazyMenu.fetch()
        prefetch?.()
      },
      onFocus: ({ currentTarget }) => {
        prefetch?.()
        remember(currentTarget)
        if (!currentTarget.matches(':focus-visible')) return
        void lazyMenu.fetch().then((loaded) => {
          asked.current.focused = currentTarget === document.activeElement
          setParts(loaded)
        })
      },
      // A key's click has no button count.
      onClick: ({ currentTarget, detail }) => {
        remember(currentTarget)
        open(detail === 0)
      },
      onKeyDown: (event) => event.key === 'ArrowDown' && open(true),
    }
    return cloneElement(trigger, waiting)
  }
  const keepFocus = (button: HTMLButtonElement | null) => {
    if (button && asked.current.focused && !asked.current.open) button.focus()
    asked.current.focused = false
  }
  // The menu did not see the key that was pressed before its code was there, so it would not focus its first item.
  const onFocus = ({ target, currentTarget }: FocusEvent<HTMLElement>) => {
    if (!asked.current.byKeyboard || target !== currentTarget) return
    asked.current.byKeyboard = false
    currentTarget.querySelector<HTMLElement>('[role^="menuitem"]:not([data-disabled])')?.focus()
  }
  return (
    <MenuPartsContext value={parts}>
      <parts.Root modal={false} defaultOpen={asked.current.open}>
        <parts.Trigger asChild ref={keepFocus}>
          {trigger}
        </parts.Trigger>
        {/* In the landmark of its button, where readers look for it, or above the sheet that it is in. A menu in a dialog would be cut off there. */}
        <parts.Portal container={landmark.current}>
          <parts.Content
            side={side}
            align={align}
            onFocus={onFocus}
            sideOffset={6}
            collisionPadding={8}
            className={clsx(
              'z-50 max-h-(--radix-dropdown-menu-content-available-height) min-w-52 animate-rise overflow-y-auto rounded-sheet border border-line bg-surface p-1 text-ink shadow-float',
              className,
            )}
          >
            {children}
          </parts.Content>
        </parts.Portal>
      </parts.Root>
    </MenuPartsContext>
  )
}

/** The style of a menu item. */
export const menuItem =
  'flex min-h-8 touch:min-h-10 cursor-pointer items-center gap-2 rounded-control px-2.5 text-body outline-none select-none data-highlighted:bg-accent-soft'
