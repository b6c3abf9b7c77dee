import type { MouseEvent } from 'react'

/** For a link to the sign-in page. The place as it is when it is followed: pages write filters and lines into the address. */
export function addReturnPath({ currentTarget }: MouseEvent<HTMLAnchorElement>): void {
  currentTarget.href = `/sign-in?back=${encodeURIComponent(location.pathname + location.search)}${location.hash}`
}
