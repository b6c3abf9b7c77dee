import { Bell, CircleX, Fingerprint, Laptop, type LucideIcon, Moon, ShieldCheck } from 'lucide-react'
import { type Findable, findable } from '../../_ui/match'
import { navItems } from '../frame/nav-items'

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

type Found = Findable<PaletteItem>

/** Every named page, from the items of the sidebar. */
export const pageItems: readonly Found[] = navItems.map(({ href, name, Icon, letter, also }) => {
  const item: PaletteItem = { id: `page ${href}`, kind: 'Page', name, Icon, does: href, ...(letter ? { strokes: ['g', letter] } : {}) }
  return findable(item, name, `go to page ${also}`)
})

const place = (name: string, Icon: LucideIcon, does: string, also: string): Found =>
  findable<PaletteItem>({ id: `place ${name}`, kind: 'Page', name, Icon, does }, name, also)

/** Parts of pages, and lists with a filter, that are found by what one looks for; too many to list unasked. */
export function placeItems(now: Date, timeZone: string): Found[] {
  const night = `from=${dayIn(timeZone, now.getTime() - dayMs)}&to=${dayIn(timeZone, now.getTime())}`
  return [
    place('Passkeys', Fingerprint, '/account#passkeys', 'passkey sign in face touch security key'),
    place('Second factor', ShieldCheck, '/account#second-factor', '2fa two-factor authenticator app code recovery codes'),
    place('Sessions', Laptop, '/account#sessions', 'devices signed in end session'),
    place('Your notification channels', Bell, '/account/notifications', 'mail email webhook slack alerts'),
    place('Failed jobs', CircleX, '/jobs?outcome=failed', 'failures errors broken'),
    place('Failed actions', CircleX, '/activity?outcome=failed', 'failures errors refused sign-ins'),
    place('Jobs of last night', Moon, `/jobs?${night}`, 'yesterday overnight nightly backups'),
    place('Activity of last night', Moon, `/activity?${night}`, 'yesterday overnight nightly happened'),
  ]
}

const dayMs = 86_400_000

/** YYYY-MM-DD, as filters have it. */
const dayIn = (timeZone: string, moment: number): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(moment)
