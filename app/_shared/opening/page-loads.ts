/**
 * Loads of pages that scripts begin. Next begins one if its own request for a page was not answered, and if the answer is of another build. If
 * the portal is unreachable, the browser's error page would replace this page and everything typed on it.
 */

type Loads = Pick<Navigation, 'addEventListener' | 'removeEventListener' | 'navigate'>

/** A link or form that the user used, Back, a reload, a download and what stays in this document are none. */
const isBegunByScript = (event: NavigateEvent): boolean =>
  event.cancelable &&
  !event.userInitiated &&
  !event.hashChange &&
  event.downloadRequest === null &&
  !event.destination.sameDocument &&
  (event.navigationType === 'push' || event.navigationType === 'replace')

/**
 * Begins such a load only if `isReachable` says so, else calls `onLost`. Browsers without the Navigation API begin it at once. Until the
 * returned function is called.
 */
export function holdLoads(loads: Loads, isReachable: () => Promise<boolean>, onLost: () => void): () => void {
  let allowed: string | null = null
  const onNavigate = (event: NavigateEvent) => {
    const { url } = event.destination
    if (!isBegunByScript(event) || url === allowed) return
    event.preventDefault()
    const history = event.navigationType === 'replace' ? 'replace' : 'push'
    void isReachable().then((reachable) => {
      if (!reachable) return onLost()
      allowed = url
      loads.navigate(url, { history })
    })
  }
  loads.addEventListener('navigate', onNavigate)
  return () => loads.removeEventListener('navigate', onNavigate)
}
