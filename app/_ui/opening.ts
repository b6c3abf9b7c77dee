/** Opening pages: a link asks for one, and the frame around the pages shows its skeleton until it is there. */
import { createSharedValue } from './browser-value'

type Opener = (href: string) => void

let opener: Opener | null = null

const openingPage = createSharedValue<string | null>(null)

/** The address of the page that is loading; null for none. */
export const useOpeningPage = openingPage.useValue
export const setOpeningPage = openingPage.set

/** Registers the frame around the pages as the one that opens them, until the returned function is called. */
export function offerOpening(offered: Opener): () => void {
  opener = offered
  return () => {
    if (opener === offered) opener = null
  }
}

/** False without a registered frame, as on pages for signed-out users: the caller then navigates as usual. */
export function openPage(href: string): boolean {
  opener?.(href)
  return opener !== null
}

/** Whether the address is a part of the page at `here`. */
export function isPartOf(href: string, here: string): boolean {
  const [to, from] = [new URL(href, here), new URL(here)]
  return to.hash !== '' && to.origin === from.origin && to.pathname === from.pathname && to.search === from.search
}

// Whether Back or Forward led to the current page, or a new visit.
let byHistory = false

/** True while a page is first rendered after Back or Forward. */
export const isReturn = (): boolean => byHistory

/** Called on Back and Forward, before the page is rendered. */
export function noteReturn(): void {
  byHistory = true
}

/** Called once the page is rendered, or another one is requested. */
export function noteArrival(): void {
  byHistory = false
}
