/** The paths under /api/auth that next-auth answers. All others are 404 before next-auth sees the request. */
import 'server-only'

export type AuthDoor = {
  method: 'GET' | 'POST'
  /** The part after /api/auth/: `callback/example`. */
  path: string
  /** One sentence: which page or other site uses the path, and what for. */
  why: string
}

/**
 * Empty: the pages sign in and out with server actions, which write and read next-auth's cookie themselves. A sign-in method that needs
 * paths of next-auth, such as the callback of an identity provider, adds them here.
 */
const authDoors: readonly AuthDoor[] = []

export const isOpenDoor = (method: string, path: string, doors = authDoors): boolean =>
  doors.some((door) => door.method === method && door.path === path)
