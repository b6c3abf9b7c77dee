/** Where a user goes after signing in: back to the requested page, but never to another site. */
import 'server-only'

const nowhere = 'http://portal.invalid'
const home = '/'
const maxLength = 2000

/** The request header in which proxy.ts passes the path and query of the requested page. Used only to return there. */
export const askedPageHeader = 'gatehouse-asked-page'

/** The given path with query and fragment, or Home if it could lead to another site or is not a page. */
export function readReturnPath(given: unknown): string {
  if (typeof given !== 'string' || given.length > maxLength || !/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(given)) return home
  if (!URL.canParse(given, nowhere)) return home
  const { origin, pathname, search, hash } = new URL(given, nowhere)
  return origin === nowhere && isPage(pathname) ? pathname + search + hash : home
}

/** The sign-in page with the page to return to. */
export function signInAddress(asked: string | null): string {
  const back = readReturnPath(asked)
  return back === home ? '/sign-in' : `/sign-in?back=${encodeURIComponent(back)}`
}

/** The step that sets up a second factor, with the page to return to. */
export const setUpAddress = (back: string): string => `/sign-in/set-up?${new URLSearchParams({ back })}`

/** The URL parser has resolved dots, so the path may now begin with two slashes. Next would decode percent signs. */
function isPage(pathname: string): boolean {
  try {
    const path = decodeURIComponent(pathname)
    return !/^\/(\/|(api|sign-in|setup|recover|invite|forgot|_next)(\/|$))|[\\\p{Cc}]/u.test(path)
  } catch {
    return false
  }
}
