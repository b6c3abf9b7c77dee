'use client'

import { usePathname } from 'next/navigation'
import { useEffect } from 'react'
import { onAsked, takeAsked } from './begin'

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
