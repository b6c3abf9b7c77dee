/** Gatehouse's commands: what each does and how it is used. Plain JavaScript without imports, because it is read before anything is installed. */

/**
 * @typedef {{ does: string, usage: readonly string[] }} Command
 * does: one line. usage: the arguments of each form
 */

/** By name, in the order of the overview. */
export const commands = /** @type {const} @satisfies {Record<string, Command>} */ ({
  up: { does: 'start Gatehouse: portal and service', usage: [''] },
  portal: { does: 'start the portal alone, beside a service that was started separately', usage: [''] },
  service: { does: 'start the bundled service alone', usage: [''] },
  owner: {
    does: 'print a one-time link for the first owner or a locked-out user',
    usage: ['recover EMAIL', 'setup'],
  },
  setup: {
    does: 'create the owner, invitations and a connection from FILE (- is standard input), while there is no owner',
    usage: ['FILE [--json]'],
  },
  users: {
    does: 'list, add, invite and change accounts',
    usage: [
      'list [--json]',
      'add EMAIL --name NAME --role ROLE [--until DAY] [--no-access] [--json]',
      'invite EMAIL --role ROLE [--until DAY] [--no-access] [--json]',
      'disable EMAIL',
      'enable EMAIL',
      'remove-second-factor EMAIL',
    ],
  },
  keys: {
    does: 'verify, rotate and retire the master key of the portal or the service, or manage API keys of the service',
    usage: [
      'verify [MARK]',
      'rotate',
      'retire',
      '--service verify',
      '--service rotate',
      '--service retire',
      '--service create [--account NAME]',
      '--service list [--json]',
      '--service revoke ID',
    ],
  },
  backup: {
    does: 'copy the databases to FOLDER and the keys to FOLDER-keys, while Gatehouse runs or not, or prove that a scheduled backup can be restored',
    usage: ['FOLDER [--keys FOLDER]', 'verify [FILE] --identity FILE [--database ADDRESS [--password FILE]] [--json]'],
  },
  restore: { does: 'restore a backup where there is no data yet', usage: ['FOLDER [--keys FOLDER]'] },
  upgrade: {
    does: 'install the release in FILE and start it, or go back to the present one if it does not start',
    usage: ['FILE [--signature FILE --key FILE] [--json]', '--recover [--start]'],
  },
  rollback: {
    does: 'list the copies from before upgrades, show what restoring one loses, or restore it with --yes',
    usage: ['', 'portal|service [COPY] [--yes]', '[--yes] [--json]   (an installed release: go back to the one before)'],
  },
  migrate: {
    does: 'bring databases on PostgreSQL to this version, and show what a role that runs Gatehouse may need',
    usage: ['[--for ROLE]'],
  },
  'move-to-postgresql': {
    does: 'copy the databases in files to the empty ones in DATABASE_URL and SERVICE_DATABASE_URL, while Gatehouse is stopped',
    usage: ['[portal|service]'],
  },
  prune: { does: 'delete what is past its retention period now', usage: [''] },
  config: { does: 'check the settings without starting anything', usage: ['check [--settings FILE] [--json]'] },
  version: { does: 'print the version', usage: ['[--json]'] },
})

/** @typedef {keyof typeof commands} CommandName */

/** How a command is used, a line for each form, without a final line break. @param {CommandName} name */
export function usageOf(name) {
  /** @type {Command} */
  const { usage } = commands[name]
  return usage.map((form, place) => `${place === 0 ? 'Usage: ' : '       '}gatehouse ${name} ${form}`.trimEnd()).join('\n')
}

/** A command line that the command does not have: its message is the usage, and the program ends with `wrongUse`. */
export class WrongUse extends Error {
  /** @param {CommandName} name */
  constructor(name) {
    super(usageOf(name))
  }
}
