'use client'

import { Monitor, Moon, Sun } from 'lucide-react'
import { Menu, MenuChoice } from '../../_ui/menu'
import { usePreferences } from './preferences'

const icons = { system: Monitor, light: Sun, dark: Moon }

/** Light, dark, or as the system. */
export function ThemeSwitch({ className }: { className: string }) {
  const { theme, change } = usePreferences()
  const Icon = icons[theme]
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
      <MenuChoice label="Theme" value={theme} choices={themeChoices} onChange={(next) => change({ theme: next })} />
    </Menu>
  )
}

export const themeChoices = [
  { value: 'system', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const
