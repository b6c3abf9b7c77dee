import type { MouseEvent } from 'react'

/** For a link to the sign-in page. Read when the link is followed, because pages write filters and lines into the address. */
export function addReturnPath({ currentTarget }: MouseEvent<HTMLAnchorElement>): void {
  currentTarget.href = `/sign-in?back=${encodeURIComponent(location.pathname + location.search)}${location.hash}`
}
