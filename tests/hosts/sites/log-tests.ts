/** Tests of the logs of sites on a real host: from files that only root writes, across rotations, with links in their place. */
import { expect, test } from 'vitest'
import type { SiteLog, SiteOnHost } from '@/lib/service/machines/sites'
import { proveSiteLogs } from '../../service/conformance/site-logs'
import type { AdmittedHost } from '../reach'
import { openHttpService } from './http-service'
import { siteNamed, upload, visit } from './site-job'

/** admitted: called only within tests. Both sites are there. */
export function testSiteLogs(admitted: () => AdmittedHost, one: SiteOnHost, two: SiteOnHost): void {
  const read = (log: SiteLog, site = one) => admitted().machine.sites.readLog(site, log)

  test('logs of sites on a host pass the same conformance tests as on the sandbox', { timeout: 120_000 }, async () => {
    await using service = await openHttpService(admitted())
    await proveSiteLogs(service, { ...service, key: await service.createKey('stranger') })
  })

  test('a site’s logs have its requests, what could not be served and what its programs did wrong, and nothing of another site', async () => {
    const { host } = admitted()
    await upload(host, one, 'faulty.php', '<?php echo $missing; trigger_error("canary \\u{202E} of one"); no_such_function();')
    for (const path of ['/faulty.php', '/%3Cscript%3E', '/.env']) await visit(host, one.domain, path)
    await visit(host, two.domain, '/only-of-two')
    await expect.poll(() => read('access')).toMatch(/"GET \/faulty\.php HTTP\/1\.1" 500 /)
    await expect.poll(() => read('access')).toMatch(/"GET \/%3Cscript%3E HTTP\/1\.1" 404 /)
    expect(await read('error')).toContain('client denied by server configuration')
    const php = await read('php')
    for (const text of ['Undefined variable $missing', 'canary', 'no_such_function']) expect(php).toContain(text)
    for (const log of ['access', 'error', 'php'] as const) expect(await read(log)).not.toContain('only-of-two')
    expect(await read('access', two)).toContain('only-of-two')
    await expect(read('access', { ...one, id: 'id-of-another' })).rejects.toMatchObject({ problem: { code: 'changed_meanwhile' } })
    await expect(read('access', siteNamed('nosuchsite', 'none.test'))).rejects.toMatchObject({ problem: { code: 'changed_meanwhile' } })
  })

  test('the last 256 KiB begin with a whole line, also right after a rotation, and a log that is not there is empty', async () => {
    const { host } = admitted()
    const folder = `/var/log/gatehouse-sites/${one.name}`
    await host.run(`cd ${folder} && for n in $(seq 9000); do echo "line $n of the log, padded to be of some length"; done >>error.log`)
    const text = await read('error')
    expect(text).toMatch(/^line \d{4} of the log, padded to be of some length\n/)
    expect(text.endsWith('line 9000 of the log, padded to be of some length\n')).toBe(true)
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(256 * 1024)
    expect(Buffer.byteLength(text)).toBeGreaterThan(255 * 1024)
    await host.run('logrotate -f /etc/logrotate.d/gatehouse-sites')
    await visit(host, one.domain, '/.env-after')
    await expect.poll(() => read('error')).toMatch(/line 9000 of the log, padded to be of some length\n.*\.env-after/s)
    await host.run(`rm ${folder}/php.log*`)
    expect(await read('php')).toBe('')
  })

  test('security 57: no link leads out of a site’s log folder, and the site itself can neither read nor write there', async () => {
    const { host } = admitted()
    const folder = `/var/log/gatehouse-sites/${one.name}`
    await host.run(`echo canary-secret >/etc/canary && cd ${folder} && mv error.log kept.log && mv error.log.1 kept.log.1`)
    const refusals = [
      ['ln -s /etc/canary error.log', '/etc/canary'],
      [`ln -s ../${two.name}/access.log error.log`, `${two.name}/access.log`],
      ['ln /etc/canary error.log', 'more than one name'],
      ['ln -s / error.log', 'it cannot be opened'],
    ] as const
    for (const [command, why] of refusals) {
      expect(await host.run(`cd ${folder} && rm -f error.log && ${command}`)).toMatchObject({ code: 0 })
      const sentence = expect.stringContaining(why)
      await expect(read('error')).rejects.toMatchObject({ problem: { code: 'invalid', fields: { log: sentence } } })
    }
    // The same applies to the part before the last rotation; the log itself is read.
    await host.run(`cd ${folder} && rm error.log && echo now >error.log && ln -s /etc/canary error.log.1`)
    expect(await read('error')).toBe('now\n')
    await host.run(`cd ${folder} && rm error.log.1 && mv kept.log error.log && mv kept.log.1 error.log.1`)
    const tries = await host.run(
      `runuser -u ${one.name} -- sh -c 'cat ${folder}/access.log; ln -s /etc/canary ${folder}/x.log; :>${folder}/php.log'`,
    )
    expect(tries.stdout).toBe('')
    expect((await host.run(`ls ${folder}`)).stdout).not.toContain('x.log')
  })
}
