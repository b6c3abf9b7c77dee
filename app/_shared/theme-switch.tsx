'use client'

import { Monitor, Moon, Sun } from 'lucide-react'
import { useTheme } from 'next-themes'
import { useSyncExternalStore } from 'react'
import { Menu, MenuChoice } from '../_ui/menu'

const choices = [
  { value: 'system', word: 'As the system' },
  { value: 'light', word: 'Light' },
  { value: 'dark', word: 'Dark' },
] as const

const icons = { system: Monitor, light: Sun, dark: Moon }

type Choice = (typeof choices)[number]['value']

const isChoice = (value: string | undefined): value is Choice => choices.some((choice) => choice.value === value)

const never = () => () => undefined

/** Light, dark, or whatever the system says. */
export function ThemeSwitch({ className }: { className: string }) {
  const { theme, setTheme } = useTheme()
  // The server cannot know the choice, so the first paint in the browser must not know it either.
  const known = useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
  const present: Choice = known && isChoice(theme) ? theme : 'system'
  const Icon = icons[present]
  return (
    <Menu
      side="top"
      trigger={
        <button type="button" aria-label="Theme" className={className}>
          <Icon aria-hidden size={16} strokeWidth={1.5} />
          <span className="rail-word">Theme</span>
        </button>
      }
    >
      <MenuChoice label="Theme" value={present} choices={choices} onChange={setTheme} />
    </Menu>
  )
}
