/** How many bytes of body each path accepts. */
import 'server-only'
import { toPathPattern } from './path-pattern'

/** For all paths, methods and clients: several times the longest form that is not listed below. */
export const usualBytes = 65_536

export type LongerBody = {
  /** The path in Next's notation. A server action is posted to the page that uses it. */
  path: string
  maxBytes: number
  why: string
}

/** Pages that accept more, from signed-in users and only with a Content-Length. */
export const longerBodies: readonly LongerBody[] = [
  { path: '/servers', maxBytes: 524_288, why: 'A label is put on all selected servers at once: 20,000 ids of 22 characters.' },
  { path: '/servers/[serverId]/mail', maxBytes: 524_288, why: 'All selected messages of a mail queue are deleted at once.' },
  { path: '/servers/[serverId]/backups', maxBytes: 524_288, why: 'All selected backups are deleted at once, by their names.' },
  { path: '/servers/[serverId]/firewall', maxBytes: 524_288, why: 'All selected rules are deleted at once, each with all that it says.' },
]

const patterns = longerBodies.map(({ path, maxBytes }) => ({ pattern: toPathPattern(path), maxBytes }))

/** The limit of a path for signed-in users. */
export const findMaxBytes = (path: string): number => patterns.find(({ pattern }) => pattern.test(path))?.maxBytes ?? usualBytes
