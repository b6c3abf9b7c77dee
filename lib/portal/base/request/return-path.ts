/** Where a user goes after signing in: back to the page they were on, never off the portal. */
import 'server-only'

const nowhere = 'http://portal.invalid'
const home = '/'
const maxLength = 2000

/** The request header in which proxy.ts names the requested page: path and query. It is used only to return there. */
export const askedPageHeader = 'gatehouse-asked-page'

/** A path of this portal as given, with query and fragment, or Home for anything that could lead off the portal or to a non-page. */
export function readReturnPath(given: unknown): string {
  if (typeof given !== 'string' || given.length > maxLength || !/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(given)) return home
  if (!URL.canParse(given, nowhere)) return home
  const { origin, pathname, search, hash } = new URL(given, nowhere)
  return origin === nowhere && isPage(pathname) ? pathname + search + hash : home
}

/** The sign-in page, returning to the requested page. */
export function signInAddress(asked: string | null): string {
  const back = readReturnPath(asked)
  return back === home ? '/sign-in' : `/sign-in?back=${encodeURIComponent(back)}`
}

/** Dots are resolved by now, so a path that began with one slash may begin with two. Next would decode percent signs. */
function isPage(pathname: string): boolean {
  try {
    const path = decodeURIComponent(pathname)
    return !/^\/(\/|(api|sign-in|setup|recover|_next)(\/|$))|[\\\p{Cc}]/u.test(path)
  } catch {
    return false
  }
}
