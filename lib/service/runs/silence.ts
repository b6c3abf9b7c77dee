/** Wraps an iteration so that it reports silence. */

/**
 * Yields the source's values, and 'silence' after each `silenceMs` without one. Ends with the source. Leaving early also ends the
 * source, except while its next value is pending: then only its own signal can end it.
 */
export async function* withSilence<T>(source: AsyncIterable<T>, silenceMs: number): AsyncGenerator<T | 'silence'> {
  const iterator = source[Symbol.asyncIterator]()
  try {
    for (;;) {
      const upcoming = iterator.next()
      let first = await orSilence(upcoming, silenceMs)
      while (first === 'silence') {
        yield first
        first = await orSilence(upcoming, silenceMs)
      }
      if (first.done) return
      yield first.value
    }
  } finally {
    // Not awaited, because a pending source would first have to yield a value.
    iterator.return?.()?.catch(() => {})
  }
}

async function orSilence<T>(upcoming: Promise<T>, silenceMs: number): Promise<T | 'silence'> {
  let timer: NodeJS.Timeout | undefined
  const silence = new Promise<'silence'>((resolve) => {
    timer = setTimeout(() => resolve('silence'), silenceMs)
  })
  return Promise.race([upcoming, silence]).finally(() => clearTimeout(timer))
}
