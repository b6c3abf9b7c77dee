import type { LucideIcon } from 'lucide-react'

/** Something the palette offers. */
export type PaletteItem = {
  id: string
  kind: 'Server' | 'Page' | 'Action'
  name: string
  Icon: LucideIcon
  /** Beside the name: a hostname. */
  note?: string
  sandbox?: boolean
  /** Strokes that do the same. */
  strokes?: readonly string[]
  /** An address to go to, or what to do. */
  does: string | (() => void)
  /** The control there with which it is begun. */
  begins?: string
}
