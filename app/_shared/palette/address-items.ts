import { Plus, ScrollText } from 'lucide-react'
import type { PaletteItem } from './palette-item'

/** What to do with an address that nothing here has: look for it in the audit log, or add a site of that name. */
export function unknownAddressItems(query: string, mayChange: boolean): PaletteItem[] {
  const text = query.trim().toLowerCase()
  if (!isAddress(text)) return []
  const search = `/activity?target=${encodeURIComponent(text)}`
  const log: PaletteItem = { id: search, kind: 'Page', name: `Activity about ${text}`, Icon: ScrollText, does: search }
  const adding = `/sites/new?domain=${encodeURIComponent(text)}`
  const add: PaletteItem = { id: adding, kind: 'Action', name: `Add site ${text}`, Icon: Plus, does: adding }
  return mayChange && /\.\p{L}[^.]*$/u.test(text) ? [add, log] : [log]
}

/** A domain, or an IP address of either version; parts of one as well. */
const isAddress = (text: string): boolean =>
  /^[\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)+$/u.test(text) || /^[\da-f]{0,4}(:[\da-f]{0,4}){2,7}$/.test(text)
