/** What the units of the package let each half do with the folder for scheduled backups that docs/running.md tells an administrator to create. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { must } from './deployment'
import { type Host, startHost } from './lab/lab'
import { debians } from './releases'

const halves = ['portal', 'service'] as const

/** The unit as it is, with another command. */
async function startUnit(host: Host, half: string, command: string): Promise<number> {
  const lines = [
    'Type=oneshot',
    'Restart=no',
    'WorkingDirectory=/',
    'LoadCredential=',
    'ExecStartPre=',
    'ExecStart=',
    `ExecStart=/bin/sh -c '${command}'`,
  ]
  const folder = `/etc/systemd/system/gatehouse-${half}.service.d`
  await must(host, `mkdir -p ${folder} && cat >${folder}/test.conf && systemctl daemon-reload`, `[Service]\n${lines.join('\n')}\n`)
  return (await host.run(`systemctl start gatehouse-${half}`)).code
}

test.each(debians)('$debian: each half starts without the folder, and writes its own if it is there, and no other', async ({ release }) => {
  await using host = await startHost({ login: { kind: 'root-key' }, release })
  await must(host, 'for half in portal service; do useradd --system gatehouse-$half; done; install -d -m 700 /etc/gatehouse')
  for (const half of halves) {
    const name = `gatehouse-${half}.service`
    await must(host, `cat >/etc/systemd/system/${name}`, readFileSync(`deploy/deb/${name}`, 'utf8'))
    expect(await startUnit(host, half, 'true')).toBe(0)
  }
  await must(
    host,
    'for half in portal service; do install -d -m 700 -o gatehouse-$half -g gatehouse-$half /var/backups/gatehouse-$half; done; chmod 777 /var/backups',
  )
  for (const half of halves) {
    const own = `/var/backups/gatehouse-${half}/archive`
    expect(await startUnit(host, half, `touch ${own}`)).toBe(0)
    expect(await must(host, `stat -c %U ${own}`)).toBe(`gatehouse-${half}\n`)
    expect(await startUnit(host, half, 'touch /var/backups/elsewhere')).not.toBe(0)
  }
  // Whatever the modes of the folders are.
  await must(host, 'chmod -R 777 /var/backups/gatehouse-portal /var/backups/gatehouse-service')
  expect(await startUnit(host, 'portal', 'ls /var/backups/gatehouse-service')).not.toBe(0)
  expect(await startUnit(host, 'service', 'ls /var/backups/gatehouse-portal')).not.toBe(0)
})
