'use client'

import { Check, Columns3, Layers } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../_ui/button'
import { lazyComponent } from '../../_ui/lazy'
import { Menu, MenuCheck, MenuItem, MenuNote } from '../../_ui/menu'
import type { ListViewsState } from './use-list-views'

const SaveView = lazyComponent(() => import('./save-view').then((file) => file.SaveView))

type ListViewsMenuProps = {
  views: ListViewsState
  /** The columns to choose from. */
  choices: readonly { id: string; label: string }[]
}

/** Which columns a list shows, and its saved views. */
export function ListViewsMenu({ views, choices }: ListViewsMenuProps) {
  const [saving, setSaving] = useState(false)
  const { saved, current } = views
  const icon = { 'aria-hidden': true, size: 16, strokeWidth: 1.5 } as const
  return (
    <>
      <Menu
        trigger={
          <Button>
            <Layers {...icon} />
            <span className="max-w-40 truncate">{current ?? 'Views'}</span>
          </Button>
        }
      >
        {saved.length === 0 ? <MenuNote>No saved views yet</MenuNote> : null}
        {saved.map((view) => (
          <MenuItem key={view.name} onSelect={() => views.open(view)}>
            <span className="max-w-60 truncate">{view.name}</span>
            {view.name === current ? <Check role="img" aria-label="Shown" size={16} strokeWidth={1.5} className="ml-auto" /> : null}
          </MenuItem>
        ))}
        <MenuItem onSelect={() => setSaving(true)}>Save view…</MenuItem>
        {current === null ? null : (
          <MenuItem danger onSelect={() => views.remove(current)}>
            Delete view
          </MenuItem>
        )}
      </Menu>
      <Menu
        trigger={
          <Button>
            <Columns3 {...icon} />
            Columns
          </Button>
        }
      >
        {choices.map(({ id, label }) => (
          <MenuCheck key={id} checked={views.shown.includes(id)} onChange={(on) => views.choose(id, on)}>
            {label}
          </MenuCheck>
        ))}
        <MenuItem onSelect={views.reset}>Default columns</MenuItem>
      </Menu>
      {saving ? <SaveView name={current ?? ''} onSave={views.save} onClose={() => setSaving(false)} /> : null}
    </>
  )
}
