/** The programs that Gatehouse consists of besides the portal's pages: their names in a build, and their sources. Plain JavaScript without imports, because it is read before anything is installed. */

export const programs = /** @type {const} @satisfies {Record<string, string>} */ ({
  'launcher-start': 'lib/launcher/start.ts',
  'launcher-config': 'lib/launcher/config.ts',
  'launcher-migrate': 'lib/launcher/migrate.ts',
  'move-to-postgresql': 'lib/moving/command.ts',
  'service-main': 'lib/service/main.ts',
  'service-keys': 'lib/service/keys.ts',
  'service-prune': 'lib/service/prune.ts',
  'portal-main': 'lib/portal/entry/front/main.mjs',
  'portal-owner': 'lib/portal/entry/owner.ts',
  'portal-setup': 'lib/portal/entry/setup.ts',
  'portal-users': 'lib/portal/entry/users.ts',
  'portal-keys': 'lib/portal/entry/keys.ts',
  'portal-prune': 'lib/portal/entry/retention/command.ts',
  backup: 'lib/backup/command.ts',
  'backup-verify': 'lib/backup/verify-command.ts',
  rollback: 'lib/rollback/command.ts',
  upgrade: 'lib/upgrade/command.ts',
  'upgrade-half': 'lib/upgrade/half-command.ts',
})

/** @typedef {keyof typeof programs} ProgramName */
