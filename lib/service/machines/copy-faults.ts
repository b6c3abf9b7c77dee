/** Why a server cannot use a backup target, or the repository there, in sentences: by the causes that host/gatehouse_host/copies names. */
export const copyFaults = {
  key: 'The target doesn’t accept the server key. Replace the keys of the target.',
  denied: 'The target refuses the server key. Test the target to see whether the key is wrong or lacks a permission.',
  bucket: 'The bucket no longer exists.',
  region: 'The bucket is in another region.',
  clock: 'The clocks of the server and the target differ too much. Set the clock of the server.',
  full: 'The target is full.',
  busy: 'The target is overloaded. Try again later.',
  certificate: 'The certificate of the target is not valid for its address, as the server sees it.',
  unreachable: 'The server can’t reach the target.',
  silent: 'The target did not respond for a long time.',
  'host-key':
    'The target shows another host key than the one that was confirmed. Nothing was sent. Find out why before you replace the keys of the target.',
  'no-sftp': 'The target doesn’t offer SFTP to this user.',
  'no-rclone':
    'The target doesn’t run rclone for the server key. Install rclone on the target, and add the line that “Replace keys” of the target shows to the authorized_keys of the user.',
  'no-session': 'The server could not sign in to the target by SSH. Test the target to see why.',
  altered: 'The target returned something else than what was written to it.',
  unmounted: 'No storage is mounted in the folder of the target on this server.',
  'system-folder': 'The folder of the target belongs to the system of this server.',
  ambiguous:
    'Two snapshots have the same short id, which happens only on purpose. Nothing was deleted. Check who has access to the server.',
  locked: 'Another program has locked the repository. Try again later.',
  memory: 'The program restic needed more than 300 MB of memory, which is its limit on servers.',
  unknown: 'The program restic failed for a reason that Gatehouse does not know.',
} as const
