/**
 * Code that no page waits for. It is fetched when it is first needed or, by `fetchLazyParts`, once the page is idle, so that it is
 * there even if the portal is unreachable by then. A failed fetch is retried when the part is needed again, and breaks no page.
 */
import { type ComponentType, createElement, useEffect, useSyncExternalStore } from 'react'

export type Lazy<Part> = {
  /** Null until it is loaded. */
  read: () => Part | null
  subscribe: (listener: () => void) => () => void
  /** Null if it could not be loaded. */
  fetch: () => Promise<Part | null>
}

const retryMs = 4000

const registered: Lazy<unknown>[] = []

/** Call it once per part, outside of any component. */
export function lazy<Part>(load: () => Promise<Part>): Lazy<Part> {
  const listeners = new Set<() => void>()
  let part: Part | null = null
  let underWay: Promise<Part | null> | null = null
  const made: Lazy<Part> = {
    read: () => part,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    fetch: () => {
      underWay ??= load().then(
        (loaded) => {
          part = loaded
          for (const listener of listeners) listener()
          return loaded
        },
        () => {
          underWay = null
          return null
        },
      )
      return underWay
    },
  }
  registered.push(made)
  return made
}

/** The part, and null until it is loaded. Does not request it. */
export const useLazy = <Part>(part: Lazy<Part>): Part | null => useSyncExternalStore(part.subscribe, part.read, () => null)

export type LazyComponent<Props> = ComponentType<Props> & {
  /** For what is about to render it: under a pointer, or with the focus. */
  prefetch: () => void
}

/** A component that is fetched when it is first rendered: nothing is shown until then. Keeps retrying. */
export function lazyComponent<Props extends object>(load: () => Promise<ComponentType<Props>>): LazyComponent<Props> {
  const part = lazy(async () => ({ Component: await load() }))
  function LazyComponent(props: Props) {
    const loaded = useLazy(part)
    useEffect(() => {
      let timer: ReturnType<typeof setTimeout> | undefined
      const attempt = async () => {
        if ((await part.fetch()) === null) timer = setTimeout(attempt, retryMs)
      }
      void attempt()
      return () => clearTimeout(timer)
    }, [])
    return loaded && createElement(loaded.Component, props)
  }
  return Object.assign(LazyComponent, { prefetch: () => void part.fetch() })
}

/** Fetches all missing parts one after another. False if something could not be fetched. */
export async function fetchLazyParts(): Promise<boolean> {
  let all = true
  for (const part of registered) all = (await part.fetch()) !== null && all
  return all
}
