/** An iteration that says so when it has been silent for a while. */

/**
 * Yields what the source yields, and 'silence' each time that nothing came for `silenceMs`. Ends with the source.
 * Whoever leaves early ends the source too, unless it is being waited for: that wait can only be ended by its own signal.
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
    // Not awaited: a source that is being waited for would first have to say something.
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
