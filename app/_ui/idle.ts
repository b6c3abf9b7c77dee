/** How long after the page has loaded; by then whatever the page itself wants has been asked for. */
const idleDelayMs = 2500

function requestIdle(work: () => void, options?: IdleRequestOptions): void {
  // Safari has no idle callbacks.
  if ('requestIdleCallback' in window) requestIdleCallback(work, options)
  else setTimeout(work)
}

let idle: Promise<void> | undefined

/** The first moment at which a page has nothing to draw: asking before it would hold up the drawing. Later on it has long been. */
export function firstIdle(): Promise<void> {
  idle ??= new Promise((resolve) => requestIdle(resolve, { timeout: 500 }))
  return idle
}

/** Does what can wait once the page has loaded and come to rest. The answer takes it back. */
export function whenIdle(work: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const begin = () => {
    timer = setTimeout(() => requestIdle(work), idleDelayMs)
  }
  if (document.readyState === 'complete') begin()
  else addEventListener('load', begin, { once: true })
  return () => {
    removeEventListener('load', begin)
    clearTimeout(timer)
  }
}
