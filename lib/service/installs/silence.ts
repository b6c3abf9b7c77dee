/** Wraps an iteration so that it reports silence. */

/**
 * Yields what the source yields, and 'silence' each time nothing came for `silenceMs`. Ends with the source. Leaving early ends the
 * source too, unless its next value is awaited: only its own signal can end that wait.
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
    // Not awaited, because a source that is waiting would first have to yield something.
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
