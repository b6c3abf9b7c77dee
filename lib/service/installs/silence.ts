/** An iteration that says so when it has been silent for a while. */

/**
 * Yields what the source yields, and 'silence' each time that nothing came for `silenceMs`. Ends with the source.
 * Whoever leaves early has to abort the source: an iteration that waits cannot be ended from outside.
 */
export async function* withSilence<T>(source: AsyncIterable<T>, silenceMs: number): AsyncGenerator<T | 'silence'> {
  const iterator = source[Symbol.asyncIterator]()
  for (;;) {
    const upcoming = iterator.next()
    for (;;) {
      const first = await orSilence(upcoming, silenceMs)
      if (first === 'silence') {
        yield 'silence'
        continue
      }
      if (first.done) return
      yield first.value
      break
    }
  }
}

async function orSilence<T>(upcoming: Promise<T>, silenceMs: number): Promise<T | 'silence'> {
  let timer: NodeJS.Timeout | undefined
  const silence = new Promise<'silence'>((resolve) => {
    timer = setTimeout(() => resolve('silence'), silenceMs)
  })
  return Promise.race([upcoming, silence]).finally(() => clearTimeout(timer))
}
