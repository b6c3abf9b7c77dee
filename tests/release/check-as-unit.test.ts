/** deploy/deb/as.sh: `config check` runs with the rules for files that the half's unit has, other commands with the user's rights alone. */
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'

const dir = mkdtempSync(join(tmpdir(), 'gatehouse-as-unit-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

function writeProgram(name: string, script: string): void {
  writeFileSync(join(dir, name), `#!/bin/sh\n${script}\n`)
  chmodSync(join(dir, name), 0o755)
}

// As systemctl prints a unit with two drop-ins; the empty ones are settings that nobody made.
const shown = [
  ...['Type=notify', 'ProtectSystem=strict', 'ProtectHome=yes', 'ReadWritePaths=-/var/backups/gatehouse-portal /mnt/offsite'],
  ...[
    'ReadOnlyPaths=',
    'InaccessiblePaths=-/etc/gatehouse',
    'PrivateTmp=yes',
    'DropInPaths=/etc/systemd/system/a.conf',
    'Environment=A=*',
    'ProtectClock=yes',
  ],
]
writeProgram('systemctl', `[ "$*" = 'show gatehouse-portal.service' ] && cat <<'END'\n${shown.join('\n')}\nEND`)
writeProgram('systemd-run', 'printf "%s\\n" "$@"')

/** The arguments of systemd-run that are about files, and the command. */
const run = (...args: string[]): { rules: string[]; command: string[] } => {
  const env = { PATH: `${dir}:/usr/bin:/bin` } as unknown as NodeJS.ProcessEnv
  const lines = spawnSync(join(process.cwd(), 'deploy/deb/as.sh'), ['portal', ...args], { encoding: 'utf8', env })
    .stdout.trim()
    .split('\n')
  const start = lines.indexOf('--')
  return {
    rules: lines.slice(0, start).filter((line) => /^--property=(Protect|Private|\w+Paths)/.test(line)),
    command: lines.slice(start + 1),
  }
}

test('a check of the settings is confined like the unit', () => {
  expect(run('/opt/gatehouse/current/gatehouse', 'config', 'check', '--json')).toEqual({
    rules: [
      '--property=ProtectSystem=strict',
      '--property=ProtectHome=yes',
      '--property=ReadWritePaths=-/var/backups/gatehouse-portal /mnt/offsite',
      '--property=InaccessiblePaths=-/etc/gatehouse',
      '--property=PrivateTmp=yes',
    ],
    command: ['/opt/gatehouse/current/gatehouse', 'config', 'check', '--json'],
  })
})

test('a backup into a folder of the administrator’s choice is not', () => {
  expect(run('gatehouse', 'backup', '/srv/a b')).toEqual({ rules: [], command: ['gatehouse', 'backup', '/srv/a b'] })
})
