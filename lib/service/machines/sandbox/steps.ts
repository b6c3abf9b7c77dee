/** The install of a sandbox server: the real one's named steps, each with its probe, its work and its output. */
import { steps as realSteps } from '../debian/steps/steps'
import { hasRule, takeStep } from './firewall'
import { recordKept } from './kept'
import type { SandboxModel } from './model'

type Work = {
  says: string
  /** Its duration, in units. */
  cost: number
  /** Its effect on the server when it is finished. */
  change?: (machine: SandboxModel) => void
}

export type SandboxStep = {
  /** The real step's id. */
  id: string
  /** Whether nothing is left to do. */
  isDone(machine: SandboxModel): boolean
  work: readonly Work[]
  /** The last line of a run that fails here. */
  failure: string
}

const has =
  (...names: readonly string[]) =>
  (machine: SandboxModel) =>
    names.every((name) => machine.packages[name] !== undefined)

const runs = (machine: SandboxModel, ...units: readonly string[]) => units.every((unit) => machine.services[unit] === 'running')

/** apt's own output for fetching, unpacking and setting up one package. */
function aptInstall(name: string, version: string): Work[] {
  return [
    { says: `Get:1 http://deb.debian.org/debian bookworm/main amd64 ${name} amd64 ${version}`, cost: 1 },
    { says: `Unpacking ${name} (${version}) ...`, cost: 1 },
    {
      says: `Setting up ${name} (${version}) ...`,
      cost: 1,
      change: (machine) => {
        machine.packages[name] = version
      },
    },
  ]
}

const start = (unit: string): Work => ({
  says: `Created symlink /etc/systemd/system/multi-user.target.wants/${unit} → /lib/systemd/system/${unit}.`,
  cost: 1,
  change: (machine) => {
    machine.services[unit] = 'running'
  },
})

const write = (path: string, text: string, says = `wrote ${path}`): Work => ({
  says,
  cost: 1,
  change: (machine) => {
    machine.files[path] = text
  },
})

const allow = (port: number): Work => ({
  says: `ufw allow ${port}/tcp: Rules updated`,
  cost: 1,
  change: (machine) => {
    const rule = { action: 'allow', protocol: 'tcp', ports: [{ first: port, last: port }], from: null } as const
    if (!hasRule(machine, rule)) takeStep(machine, { kind: 'append', rule, families: [4, 6] })
  },
})

const steps: readonly SandboxStep[] = [
  {
    id: 'survey',
    isDone: () => false,
    work: [{ says: 'Checked every part.', cost: 1, change: recordKept }],
    failure: 'Nothing was changed: installing php-fpm would remove libapache2-mod-php8.2.',
  },
  {
    id: 'ready',
    isDone: () => false,
    work: [
      { says: 'cloud-init status: done', cost: 2 },
      { says: 'apt and dpkg are free', cost: 1 },
    ],
    failure: 'E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 1402 (unattended-upgr)',
  },
  {
    id: 'packages',
    isDone: has('curl', 'rsync'),
    work: [
      { says: 'Hit:1 http://deb.debian.org/debian bookworm InRelease', cost: 2 },
      { says: 'Reading package lists...', cost: 3 },
      ...aptInstall('curl', '7.88.1-10+deb12u8'),
      ...aptInstall('rsync', '3.2.7-1'),
    ],
    failure: 'E: Failed to fetch http://deb.debian.org/debian/pool/main/r/rsync/rsync_3.2.7-1_amd64.deb  503  Service Unavailable',
  },
  {
    id: 'web',
    isDone: (machine) => has('apache2', 'php8.2-fpm')(machine) && runs(machine, 'apache2.service', 'php8.2-fpm.service'),
    work: [
      ...aptInstall('apache2', '2.4.62-1~deb12u2'),
      start('apache2.service'),
      ...aptInstall('php8.2-fpm', '8.2.26-1~deb12u1'),
      start('php8.2-fpm.service'),
      write(
        '/etc/apache2/conf-enabled/php8.2-fpm.conf',
        'SetHandler "proxy:unix:/run/php/php8.2-fpm.sock|fcgi://localhost"\n',
        'Enabling conf php8.2-fpm.',
      ),
      { says: 'apachectl configtest: Syntax OK', cost: 1 },
    ],
    failure: 'Job for apache2.service failed because the control process exited with error code.',
  },
  {
    id: 'database',
    isDone: (machine) => has('mariadb-server')(machine) && runs(machine, 'mariadb.service') && machine.files['/root/.my.cnf'] !== undefined,
    work: [
      ...aptInstall('mariadb-server', '1:10.11.6-0+deb12u1'),
      start('mariadb.service'),
      write('/root/.my.cnf', '[client]\nuser=root\nsocket=/run/mysqld/mysqld.sock\n'),
    ],
    failure:
      'dpkg: error processing package mariadb-server (--configure): installed mariadb-server post-installation script subprocess returned error exit status 1',
  },
  {
    id: 'mail',
    isDone: (machine) => has('postfix')(machine) && runs(machine, 'postfix.service'),
    work: [
      ...aptInstall('postfix', '3.7.11-0+deb12u1'),
      write('/etc/postfix/main.cf', 'inet_interfaces = loopback-only\n'),
      start('postfix.service'),
    ],
    failure: 'postfix: fatal: open lock file /var/lib/postfix/master.lock: unable to set exclusive lock',
  },
  {
    id: 'firewall',
    isDone: (machine) => has('ufw')(machine) && machine.firewall.active,
    work: [
      ...aptInstall('ufw', '0.36.2-1'),
      allow(22),
      allow(80),
      allow(443),
      {
        says: 'Firewall is active and enabled on system startup',
        cost: 1,
        change: ({ firewall }) => {
          firewall.active = true
        },
      },
    ],
    failure: 'ERROR: problem running ufw-init',
  },
  {
    id: 'updates',
    isDone: has('unattended-upgrades'),
    work: [
      ...aptInstall('unattended-upgrades', '2.9.1+nmu3'),
      write('/etc/apt/apt.conf.d/20auto-upgrades', 'APT::Periodic::Update-Package-Lists "1";\nAPT::Periodic::Unattended-Upgrade "1";\n'),
      start('unattended-upgrades.service'),
    ],
    failure: 'E: Sub-process /usr/bin/dpkg returned an error code (1)',
  },
  {
    id: 'backups',
    isDone: (machine) => runs(machine, 'gatehouse-backup.timer'),
    work: [write('/etc/systemd/system/gatehouse-backup.timer', '[Timer]\nOnCalendar=*-*-* 02:30\n'), start('gatehouse-backup.timer')],
    failure: 'Failed to enable unit: Unit file gatehouse-backup.timer does not exist.',
  },
]

/** The steps in the real install's order and with its names; steps without a simulation are left out. */
export const sandboxSteps: readonly (SandboxStep & { name: string })[] = realSteps.flatMap(({ id, name }) => {
  const step = steps.find((candidate) => candidate.id === id)
  return step ? [{ ...step, name }] : []
})
