/** The paths under /api/auth that next-auth answers. All others are 404 before next-auth sees the request. */
import 'server-only'
import { getSettings } from '@/lib/settings/settings'
import { providerId } from './single-sign-on/provider'

export type AuthDoor = {
  method: 'GET' | 'POST'
  /** The part after /api/auth/: `callback/example`. */
  path: string
  /** One sentence: which page or other site uses the path, and what for. */
  why: string
}

/** Without single sign-on none: the pages sign in and out with server actions, which run next-auth inside the process. */
const authDoors = (): readonly AuthDoor[] =>
  getSettings().singleSignOn === null
    ? []
    : [{ method: 'GET', path: `callback/${providerId}`, why: 'The identity provider sends people back here.' }]

export const isOpenDoor = (method: string, path: string, doors = authDoors()): boolean =>
  doors.some((door) => door.method === method && door.path === path)
