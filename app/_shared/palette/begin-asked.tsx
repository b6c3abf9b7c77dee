'use client'

import { usePathname } from 'next/navigation'
import { useEffect } from 'react'

const checkEveryMs = 50
/** A page whose service does not answer has no such control. */
const maxMs = 5000

/** Clicks the control that the palette asked for, as soon as it exists. Whatever it opens still asks for confirmation. */
export function BeginAsked() {
  const path = usePathname()
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const press = (selector: string, until: number) => {
      const control = document.querySelector<HTMLElement>(`${selector}:not(:disabled)`)
      if (!control && Date.now() < until) timer = setTimeout(press, checkEveryMs, selector, until)
      control?.focus()
      control?.click()
    }
    const begin = () => {
      const selector = takeAsked(path)
      clearTimeout(timer)
      // Not before the palette has closed, which restores the focus.
      if (selector !== null) timer = setTimeout(press, checkEveryMs, selector, Date.now() + maxMs)
    }
    begin()
    const forget = onAsked(begin)
    return () => {
      forget()
      clearTimeout(timer)
    }
  }, [path])
  return null
}

/** What to start on the page that the palette navigates to: the palette requests it, the page does it. */
type Asked = { path: string; selector: string }

let asked: Asked | null = null
const listeners = new Set<() => void>()

/** selector: the control with which a user would start it there. */
export function askToBegin(path: string, selector: string): void {
  asked = { path, selector }
  for (const listener of listeners) listener()
}

/** What was requested for this page, once. */
function takeAsked(path: string): string | null {
  if (asked?.path !== path) return null
  const { selector } = asked
  asked = null
  return selector
}

function onAsked(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
