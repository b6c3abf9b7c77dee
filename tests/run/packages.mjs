/** Debian packages that tests use: `npm test` installs those that are missing, so that nothing has to be there before. */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'

/** @typedef {readonly (readonly [file: string, name: string])[]} Packages a file that shows the package is there, and its name */

/** The server of the newest version that is installed, else of Debian 12's. */
const versions = existsSync('/usr/lib/postgresql') ? readdirSync('/usr/lib/postgresql') : []
const version =
  versions.sort((one, other) => Number(other) - Number(one)).find((each) => existsSync(`/usr/lib/postgresql/${each}/bin/initdb`)) ?? '15'

/** @type {Readonly<Record<'check' | 'unit' | 'postgresql' | 'pooler' | 'hosts' | 'browser', Packages>>} by the part of `npm test` that needs them */
export const packages = {
  check: [
    ['/usr/bin/shellcheck', 'shellcheck'],
    ['/usr/bin/mypy', 'mypy'],
  ],
  unit: [
    ['/usr/bin/openssl', 'openssl'],
    ['/usr/bin/curl', 'curl'],
    ['/usr/bin/shellcheck', 'shellcheck'],
    ['/usr/bin/php', 'php-cli'],
    ['/usr/bin/pytest-3', 'python3-pytest'],
    ['/usr/lib/python3/dist-packages/jsonschema/__init__.py', 'python3-jsonschema'],
    ['/usr/lib/python3/dist-packages/yaml/__init__.py', 'python3-yaml'],
    ['/usr/bin/zstd', 'zstd'],
    ['/usr/bin/restic', 'restic'],
    ['/usr/bin/rclone', 'rclone'],
    ['/usr/bin/ssh', 'openssh-client'],
    ['/usr/sbin/sshd', 'openssh-server'],
    ['/usr/bin/strace', 'strace'],
    ['/usr/bin/age', 'age'],
    ['/usr/bin/age-keygen', 'age'],
    ['/usr/bin/minisign', 'minisign'],
    ['/usr/bin/gpg', 'gpg'],
    ['/usr/bin/gpgconf', 'gpgconf'],
    ['/usr/bin/gpg-agent', 'gpg-agent'],
  ],
  postgresql: [
    [`/usr/lib/postgresql/${version}/bin/initdb`, `postgresql-${version}`],
    // Debian's links to the programs of the version that fits.
    ['/usr/bin/pg_dump', 'postgresql-client-common'],
    ['/usr/bin/pg_restore', 'postgresql-client-common'],
    ['/usr/bin/psql', 'postgresql-client-common'],
  ],
  pooler: [['/usr/sbin/pgbouncer', 'pgbouncer']],
  hosts: [
    ['/usr/bin/openssl', 'openssl'],
    ['/usr/bin/systemd-nspawn', 'systemd-container'],
    ['/usr/bin/mmdebstrap', 'mmdebstrap'],
    ['/usr/share/keyrings/debian-archive-keyring.gpg', 'debian-archive-keyring'],
    ['/usr/sbin/dnsmasq', 'dnsmasq-base'],
    ['/usr/bin/pebble', 'pebble'],
    ['/usr/bin/pebble-challtestsrv', 'pebble'],
    ['/usr/bin/ssh-keygen', 'openssh-client'],
    ['/usr/bin/ssh', 'openssh-client'],
    ['/usr/bin/sftp', 'openssh-client'],
    ['/usr/sbin/sshd', 'openssh-server'],
    ['/usr/bin/rclone', 'rclone'],
    ['/usr/sbin/ip', 'iproute2'],
    ['/usr/bin/gcc', 'gcc'],
    ['/usr/bin/as', 'binutils'],
    ['/usr/bin/ld', 'binutils'],
    ['/usr/include/stdio.h', 'libc6-dev'],
  ],
  browser: [['/usr/bin/chromium', 'chromium']],
}

/** apt and what packages run when they are installed find their programs where every system has them. */
export const systemPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/**
 * Installs what is missing where this is root on Debian, and only there. Returns null when all of it is there, else one line
 * that says what is missing and why.
 * @param {Packages} wanted
 * @returns {string | null}
 */
export function installMissing(wanted) {
  const findMissing = () => wanted.filter(([file]) => !existsSync(file)).map(([, name]) => name)
  const missing = findMissing()
  if (missing.length === 0) return null
  const command = `apt-get install -y --no-install-recommends ${missing.join(' ')}`
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return `it needs ${missing.join(', ')}; on Debian: sudo ${command}`
  // Somebody else may be installing at the same time.
  const run = spawnSync('sh', ['-c', `apt-get update -qq; ${command} -qq -o DPkg::Lock::Timeout=300`], {
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
    env: { ...process.env, PATH: systemPath, DEBIAN_FRONTEND: 'noninteractive' },
  })
  const left = findMissing()
  return left.length === 0 ? null : `apt-get could not install ${left.join(', ')}: ${run.stderr.trim().split('\n').at(-1) ?? ''}`
}
