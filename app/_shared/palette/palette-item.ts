import type { LucideIcon } from 'lucide-react'

/** One item of the palette. */
export type PaletteItem = {
  id: string
  kind: 'Server' | 'Site' | 'Job' | 'Member' | 'Page' | 'Action'
  name: string
  Icon: LucideIcon
  /** Shown next to the name: a hostname, the server of a site, or how a job ended. */
  note?: string
  sandbox?: boolean
  /** The service of the server or site announces extensions. */
  extensions?: boolean
  /** The shortcut that does the same. */
  strokes?: readonly string[]
  /** An address to navigate to, or a function to call. */
  does: string | (() => void)
  /** The control there that starts it. */
  begins?: string
}
