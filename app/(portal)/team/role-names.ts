/** The names of roles in the browser; the same as the portal's own. */
import type { Role } from '@/lib/portal/identity/actor'

export const nameOfRole = (role: Role): string => `${role.charAt(0).toUpperCase()}${role.slice(1)}`
