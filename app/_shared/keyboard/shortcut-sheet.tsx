'use client'

import { Dialog } from '../../_ui/dialog'
import { Kbd, keysOf, type Shortcut, setSingleKeys, shortcutGroups, shortcuts, useMac, useSingleKeys } from './shortcuts'

/** All shortcuts, and the switch for single-key ones. */
export function ShortcutSheet({ onClose }: { onClose: () => void }) {
  const on = useSingleKeys()
  return (
    <Dialog open onOpenChange={onClose} title="Keyboard shortcuts" description="Paused while typing.">
      {shortcutGroups.map((group) => (
        <section key={group} aria-label={group} className="mt-4">
          <h3 className="text-small font-medium text-muted">{group}</h3>
          <dl className="mt-1 divide-y divide-line">
            {shortcuts
              .filter((shortcut) => shortcut.group === group)
              .map((shortcut) => (
                <ShortcutLine key={shortcut.strokes.join(' ')} shortcut={shortcut} />
              ))}
          </dl>
        </section>
      ))}
      <label className="mt-4 flex min-h-8 items-start gap-2.5 touch:min-h-10">
        <input
          type="checkbox"
          checked={on}
          onChange={(event) => setSingleKeys(event.target.checked)}
          className="mt-0.5 size-4 accent-accent"
        />
        <span>
          Single-key shortcuts
          <span className="block text-small text-muted">Turn them off if they interfere with your keyboard or voice input.</span>
        </span>
      </label>
    </Dialog>
  )
}

function ShortcutLine({ shortcut }: { shortcut: Shortcut }) {
  const mac = useMac()
  return (
    <div className="flex min-h-9 items-center justify-between gap-4">
      <dt>{shortcut.description}</dt>
      <dd className="flex shrink-0 items-center gap-1">
        {shortcut.strokes.map((stroke, place) => (
          <span key={stroke} className="flex items-center gap-1">
            {place > 0 ? <span className="px-0.5 text-small text-muted">then</span> : null}
            {keysOf(stroke, mac).map((key) => (
              <Kbd key={key} text={key} />
            ))}
          </span>
        ))}
      </dd>
    </div>
  )
}
