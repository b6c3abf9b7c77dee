/** How many bytes of body each path takes. */
import 'server-only'
import { toPathPattern } from './path-pattern'

/** For every path, method and sender: several times the longest form that is not in the list below. */
export const usualBytes = 65_536

export type LongerBody = {
  /** As Next names it. A server action is sent to the page it is used on. */
  path: string
  maxBytes: number
  why: string
}

/** Pages that take more, from people who are signed in and where Content-Length announces it. */
export const longerBodies: readonly LongerBody[] = [
  { path: '/servers', maxBytes: 524_288, why: 'A label is put on all selected servers at once: 20,000 ids of 22 characters.' },
  { path: '/servers/[serverId]/mail', maxBytes: 524_288, why: 'All selected messages of a mail queue are deleted at once.' },
  { path: '/servers/[serverId]/backups', maxBytes: 524_288, why: 'All selected backups are deleted at once, by their names.' },
  { path: '/servers/[serverId]/firewall', maxBytes: 524_288, why: 'All selected rules are deleted at once, each with all that it says.' },
]

const patterns = longerBodies.map(({ path, maxBytes }) => ({ pattern: toPathPattern(path), maxBytes }))

/** The most that this path takes from somebody who is signed in. */
export const findMaxBytes = (path: string): number => patterns.find(({ pattern }) => pattern.test(path))?.maxBytes ?? usualBytes
