/** Where somebody goes after signing in: back to the page they were on, never anywhere else. */
import 'server-only'

const nowhere = 'http://portal.invalid'
const home = '/'
const maxLength = 2000

/** The request header in which proxy.ts names the page that is asked for: path and query. It decides nothing but the way back. */
export const askedPageHeader = 'gatehouse-asked-page'

/** A path of this portal as it was given, with query and fragment, or Home for anything that could lead off it or straight into an answer. */
export function readReturnPath(given: unknown): string {
  if (typeof given !== 'string' || given.length > maxLength || !/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(given)) return home
  if (!URL.canParse(given, nowhere)) return home
  const { origin, pathname, search, hash } = new URL(given, nowhere)
  return origin === nowhere && isPage(pathname) ? pathname + search + hash : home
}

/** The sign-in page, which leads back to the page that was asked for. */
export function signInAddress(asked: string | null): string {
  const back = readReturnPath(asked)
  return back === home ? '/sign-in' : `/sign-in?back=${encodeURIComponent(back)}`
}

/** Dots are resolved by now: what began with one slash may begin with two. Percent signs are what Next would decode. */
function isPage(pathname: string): boolean {
  try {
    const path = decodeURIComponent(pathname)
    return !/^\/(\/|(api|sign-in|setup|recover|_next)(\/|$))|[\\\p{Cc}]/u.test(path)
  } catch {
    return false
  }
}
