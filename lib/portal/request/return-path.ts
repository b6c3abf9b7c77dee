/** Where somebody goes after signing in: back to the page they were on, never anywhere else. */
import 'server-only'

const nowhere = 'http://portal.invalid'
const home = '/'

/** A path of this portal as it was given, or Home for anything that could lead off it or straight into an answer. */
export function readReturnPath(given: unknown): string {
  if (typeof given !== 'string' || given.length > 500 || !/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(given)) return home
  if (!URL.canParse(given, nowhere)) return home
  const { origin, pathname, search } = new URL(given, nowhere)
  // Dots are resolved by now: what began with one slash may begin with two.
  if (origin !== nowhere || pathname.startsWith('//') || /^\/(api|sign-in|setup|recover)(\/|$)/.test(pathname)) return home
  return pathname + search
}
