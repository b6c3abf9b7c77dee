/** How long after the page has loaded; by then whatever the page itself wants has been asked for. */
const quietMs = 2500

function whenIdle(work: () => void, options?: IdleRequestOptions): void {
  // Safari has no idle callbacks.
  if ('requestIdleCallback' in window) requestIdleCallback(work, options)
  else setTimeout(work)
}

let rested: Promise<void> | undefined

/** The first moment at which a page has nothing to draw: asking before it would hold up the drawing. Later on it has long been. */
export function firstRest(): Promise<void> {
  rested ??= new Promise((resolve) => whenIdle(resolve, { timeout: 500 }))
  return rested
}

/** Does what can wait once the page has loaded and come to rest. The answer takes it back. */
export function whenQuiet(work: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const begin = () => {
    timer = setTimeout(() => whenIdle(work), quietMs)
  }
  if (document.readyState === 'complete') begin()
  else addEventListener('load', begin, { once: true })
  return () => {
    removeEventListener('load', begin)
    clearTimeout(timer)
  }
}
