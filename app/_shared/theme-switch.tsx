'use client'

import { Monitor, Moon, Sun } from 'lucide-react'
import { useTheme } from 'next-themes'
import { useSyncExternalStore } from 'react'
import { Menu, MenuChoice } from '../_ui/menu'
import { themeChoices, themeOr } from './theme-choices'

const icons = { system: Monitor, light: Sun, dark: Moon }

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
  const present = known ? themeOr(theme) : 'system'
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
      <MenuChoice label="Theme" value={present} choices={themeChoices} onChange={setTheme} />
    </Menu>
  )
}
