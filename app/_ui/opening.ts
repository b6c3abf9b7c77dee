/** How pages are opened: a link says which one, and the frame around the pages shows that it is on its way. */
import { createSharedValue } from './shared-value'

type Opener = (href: string) => void

let opener: Opener | null = null

const openingPage = createSharedValue<string | null>(null)

/** The address of the page that was asked for and is not there yet; null for none. */
export const useOpeningPage = openingPage.useValue
export const setOpeningPage = openingPage.set

/** Called by the frame around the pages, which opens them until the returned function is called. */
export function offerOpening(offered: Opener): () => void {
  opener = offered
  return () => {
    if (opener === offered) opener = null
  }
}

/** False where nothing offers to open pages, as on those for visitors: whoever asked then opens it as usual. */
export function openPage(href: string): boolean {
  opener?.(href)
  return opener !== null
}

/** Whether the address leads to a part of the page at `here`, which is there already. */
export function isPartOf(href: string, here: string): boolean {
  const [to, from] = [new URL(href, here), new URL(here)]
  return to.hash !== '' && to.origin === from.origin && to.pathname === from.pathname && to.search === from.search
}
