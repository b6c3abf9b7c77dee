/**
 * Code that no page waits for. It is fetched when somebody first wants it or, by `fetchLazyParts`, once the page is quiet,
 * so that it is there even when the portal is away by then. What cannot be fetched is tried again when next wanted, and
 * takes no page away.
 */
import { type ComponentType, createElement, useEffect, useSyncExternalStore } from 'react'

export type Lazy<Part> = {
  /** Null until it is there. */
  read: () => Part | null
  subscribe: (listener: () => void) => () => void
  /** Null when it could not be had. */
  fetch: () => Promise<Part | null>
}

const retryMs = 4000

const registered: Lazy<unknown>[] = []

/** To be called once per part, outside of any component. */
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

/** The part, and null until it is there. Does not ask for it. */
export const useLazy = <Part>(part: Lazy<Part>): Part | null => useSyncExternalStore(part.subscribe, part.read, () => null)

/** A component that is fetched when it is first shown: nothing stands in its place until then. It keeps asking. */
export function lazyComponent<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  const part = lazy(async () => ({ Component: await load() }))
  return function LazyComponent(props: Props) {
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
}

/** Fetches one after another whatever is not there yet. False when something could not be had. */
export async function fetchLazyParts(): Promise<boolean> {
  let all = true
  for (const part of registered) all = (await part.fetch()) !== null && all
  return all
}
