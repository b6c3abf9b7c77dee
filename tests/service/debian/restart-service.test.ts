/** Restarting a service by the bash that servers run, with programs in the place of systemd's and Apache's. */
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readScript } from '@/lib/service/machines/debian/script'

const script = readScript('changes/restart-service.bash')

const folder = mkdtempSync(join(tmpdir(), 'restart-'))
afterAll(() => rmSync(folder, { recursive: true }))

const program = (name: string, text: string): void => {
  writeFileSync(join(folder, name), `#!/bin/bash\n${text}\n`)
  chmodSync(join(folder, name), 0o755)
}

// Writes down what it was asked to do. WORK: a unit that runs. MISSING: whether the unit is not there. FAILS: whether it does not start.
program(
  'systemctl',
  `case "$*" in
  'list-units --plain --no-legend --state='*) [[ "\${*: -1}" != "\${WORK:-none}" ]] || echo "$WORK loaded active running" ;;
  'list-units --all'*) [[ -n \${MISSING-} ]] || printf '%s\\n' 'gatehouse-php8.2@shop.service loaded active' 'gatehouse-php8.2@blog.service loaded failed' 'gatehouse-php8.2@gone.service not-found inactive' ;;
  'show --value -p LoadState'*) [[ -n \${MISSING-} ]] && echo not-found || echo loaded ;;
  restart*) echo "$*" >>${folder}/calls; [[ -z \${FAILS-} ]] ;;
esac`,
)
program(
  'apache2ctl',
  `[[ -z \${WRONG-} ]] && exit; printf '%s\\n' "AH00526: Syntax error on line 1" "Action 'configtest' failed." >&2; exit 1`,
)
program('php-fpm8.2', `[[ -z \${WRONG-} ]] || { echo "ERROR: php 8.2 is wrong" >&2; exit 78; }`)
program('journalctl', `echo "cron: cannot open the crontab"`)

function restart(unit: string, env: Record<string, string> = {}) {
  writeFileSync(join(folder, 'calls'), '')
  const path = `${folder}:${process.env.PATH}`
  // The script reads its values from standard input; its text is an argument here, because it is the test's own.
  const ran = spawnSync('bash', ['--norc', '-c', script], {
    input: `${unit}\0`,
    encoding: 'utf8',
    env: { ...process.env, ...env, PATH: path },
  })
  return { code: ran.status, said: `${ran.stdout}${ran.stderr}`.trim(), calls: readFileSync(join(folder, 'calls'), 'utf8').trim() }
}

test('a unit is restarted, and all units of sites together', () => {
  expect(restart('apache2.service')).toEqual({ code: 0, said: '', calls: 'restart apache2.service' })
  expect(restart('php8.2-fpm.service')).toEqual({ code: 0, said: '', calls: 'restart php8.2-fpm.service' })
  expect(restart('gatehouse-php8.2@*.service')).toEqual({
    code: 0,
    said: '',
    calls: 'restart gatehouse-php8.2@shop.service gatehouse-php8.2@blog.service',
  })
})

test('nothing is restarted with a wrong configuration, while work runs, or if the unit is missing', () => {
  expect(restart('apache2.service', { WRONG: '1' })).toEqual({
    code: 65,
    said: 'Apache refuses the configuration: AH00526: Syntax error on line 1',
    calls: '',
  })
  expect(restart('php8.2-fpm.service', { WRONG: '1' })).toEqual({ code: 65, said: 'ERROR: php 8.2 is wrong', calls: '' })
  for (const work of ['gatehouse-install.service', 'gatehouse-site-job*.service', 'gatehouse-backup.service'])
    expect(restart('cron.service', { WORK: work })).toEqual({ code: 73, said: '', calls: '' })
  for (const unit of ['cron.service', 'gatehouse-php8.2@*.service'])
    expect(restart(unit, { MISSING: '1' })).toEqual({ code: 67, said: '', calls: '' })
})

test('a service that does not start says why', () => {
  expect(restart('cron.service', { FAILS: '1' })).toEqual({ code: 1, said: 'cron: cannot open the crontab', calls: 'restart cron.service' })
})
