/** The portal's own actions in the audit log, besides the interface's operations. The log stores the names, so unused ones stay. */
import 'server-only'

export const ownActions = [
  'session.signIn',
  'session.signOut',
  'session.stepUp',
  'session.end',
  'session.endOthers',
  'person.changePassword',
  'person.rename',
  'owner.setUp',
  'owner.recoverLink',
  'owner.recover',
  'key.rotate',
  'key.retire',
  'retention.prune',
  'connection.open',
  'connection.add',
  'connection.create',
  'connection.check',
  'connection.rename',
  'connection.replaceKey',
  'connection.remove',
  'servers.show',
  'jobs.show',
  'jobs.stopFollowing',
  'labels.add',
  'labels.remove',
  'activity.undo',
] as const

export type OwnAction = (typeof ownActions)[number]
