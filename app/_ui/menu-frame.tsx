'use client'

import type * as RadixMenu from 'radix-ui/dropdown-menu'
import { type ComponentProps, createContext, type RefCallback, use, useRef, useState } from 'react'

export type MenuParts = typeof RadixMenu

const load = () => import('radix-ui/dropdown-menu')

const MenuPartsContext = createContext<MenuParts | null>(null)

export const MenuPartsProvider = MenuPartsContext.Provider

/** The parts for what stands inside an open menu. */
export function useLoadedParts(): MenuParts {
  const parts = use(MenuPartsContext)
  if (!parts) throw new Error('There is no menu around this item.')
  return parts
}

/** Given to the button until the parts are there: they are fetched when somebody comes near. */
export type Waiting = Pick<ComponentProps<'button'>, 'onPointerEnter' | 'onFocus' | 'onClick' | 'onKeyDown'> & {
  'aria-haspopup': 'menu'
  'aria-expanded': false
}

/** open: whether the menu begins open, since that was asked for. ref: for the button that takes the first one's place. */
export type Come = { parts: MenuParts; open: boolean; ref: RefCallback<HTMLButtonElement> }

/**
 * A menu's parts weigh more than most pages and are needed on few visits. The button that waits is replaced by the menu's
 * own: never under a pointer that is about to press it, and the keyboard stays on it.
 */
export function useMenuParts(): { come: Come; waiting?: never } | { waiting: Waiting; come?: never } {
  const [parts, setParts] = useState<MenuParts | null>(null)
  const asked = useRef({ open: false, focused: false })
  const open = () => {
    asked.current.open = true
    void load().then(setParts)
  }
  if (parts) {
    const ref = (button: HTMLButtonElement | null) => {
      if (button && asked.current.focused && !asked.current.open) button.focus()
      asked.current.focused = false
    }
    return { come: { parts, open: asked.current.open, ref } }
  }
  return {
    waiting: {
      'aria-haspopup': 'menu',
      'aria-expanded': false,
      onPointerEnter: () => void load(),
      onFocus: ({ currentTarget }) => {
        if (!currentTarget.matches(':focus-visible')) return
        void load().then((loaded) => {
          asked.current.focused = currentTarget === document.activeElement
          setParts(loaded)
        })
      },
      onClick: open,
      onKeyDown: (event) => event.key === 'ArrowDown' && open(),
    },
  }
}
