/** How long after loading; by then the page itself has requested what it needs. */
const idleDelayMs = 2500
/** How long after that at most, on a page that is never idle. */
const busyMs = 2000

function requestIdle(work: () => void, options?: IdleRequestOptions): void {
  // Safari has no idle callbacks.
  if ('requestIdleCallback' in window) requestIdleCallback(work, options)
  else setTimeout(work)
}

let idle: Promise<void> | undefined

/** The first moment at which a page has nothing to render; resolved for good afterwards. */
export function firstIdle(): Promise<void> {
  idle ??= new Promise((resolve) => requestIdle(resolve, { timeout: 500 }))
  return idle
}

let quiet: Promise<void> | undefined

/** The first moment at which a page has loaded and is idle; resolved for good afterwards. */
export function firstQuiet(): Promise<void> {
  quiet ??= new Promise((resolve) => {
    whenIdle(resolve)
  })
  return quiet
}

/** Runs `work` once the page has loaded and is idle. The returned function cancels it. */
export function whenIdle(work: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const begin = () => {
    timer = setTimeout(() => requestIdle(work, { timeout: busyMs }), idleDelayMs)
  }
  if (document.readyState === 'complete') begin()
  else addEventListener('load', begin, { once: true })
  return () => {
    removeEventListener('load', begin)
    clearTimeout(timer)
  }
}
