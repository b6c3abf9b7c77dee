/** Services of real hosts, what they count, and the requests of their sites. */
import { describe, expect, test } from 'vitest'
import { listServices, proveServices, restartService } from '../service/conformance/services'
import { proveTraffic } from '../service/conformance/traffic'
import { openChance } from '../support/seeds'
import { someDebians } from './releases'
import { useHostWithSites } from './sites/host-with-sites'
import { openHttpService } from './sites/http-service'
import { siteNamed, visit } from './sites/site-job'

const one = siteNamed('onetest1a2b', 'one.test', ['www.one.test'])

describe.each(someDebians(openChance()))('$debian', ({ release }) => {
  const admitted = useHostWithSites(release, [one])

  test('services on a host pass the same conformance tests as the sandbox, and the site answers after each restart', {
    timeout: 180_000,
  }, async () => {
    await using service = await openHttpService(admitted())
    await proveServices(service, { ...service, key: await service.createKey('stranger') })
    await expect.poll(() => visit(admitted().host, one.domain)).toMatch(/^200 /)
  })

  test('a service that failed is started, and one with a wrong configuration runs on', { timeout: 120_000 }, async () => {
    const { host } = admitted()
    await using service = await openHttpService(admitted())
    const stateOf = async (unit: string) => (await listServices(service)).find((each) => each.unit === unit)?.state
    await host.run('systemctl kill -s KILL cron; systemctl stop cron')
    expect(await stateOf('cron.service')).toMatch(/^(stopped|failed)$/)
    expect(await restartService(service, 'cron.service')).toMatchObject({ status: 200 })
    expect(await stateOf('cron.service')).toBe('running')

    const pid = async () => (await host.run('systemctl show -P MainPID apache2')).stdout
    const before = await pid()
    await host.run('echo "NoSuchDirective on" >/etc/apache2/conf-enabled/broken.conf')
    expect(await restartService(service, 'apache2.service')).toMatchObject({
      status: 409,
      body: { code: 'unsuitable', error: expect.stringContaining('NoSuchDirective') },
    })
    expect(await pid()).toBe(before)
    await host.run('rm /etc/apache2/conf-enabled/broken.conf')

    await host.run('systemd-run --unit=gatehouse-site-job-test sleep 60')
    expect(await restartService(service, 'cron.service')).toMatchObject({ status: 409, body: { code: 'busy' } })
    await host.run('systemctl stop gatehouse-site-job-test')
  })

  test('requests of a site are counted on its host, across a rotation and without those of the host', { timeout: 120_000 }, async () => {
    const { host } = admitted()
    await using service = await openHttpService(admitted())
    const traffic = await proveTraffic(service, { ...service, key: await service.createKey('stranger') }, async (domain) => {
      const folder = (await host.run(`dirname "$(grep -l ' ${domain}$' /etc/gatehouse/sites/*/site)"`)).stdout.trim().split('/').at(-1)
      const log = `/var/log/gatehouse-sites/${folder}/access.log`
      const line = (status: number) =>
        `printf '203.0.113.9 - - [%s] "GET /?a=1 HTTP/1.1" ${status} 5 "-" "x"\\n' "$(LC_ALL=C date '+%d/%b/%Y:%H:%M:%S %z')" >>${log}`
      await host.run([line(200), line(404), 'logrotate -f /etc/logrotate.d/gatehouse-sites', line(500), line(200)].join('\n'))
    })
    const sum = (of: 'requests' | 'client_errors' | 'server_errors') => traffic.hours.reduce((total, hour) => total + hour[of], 0)
    expect([sum('requests'), sum('client_errors'), sum('server_errors')]).toEqual([4, 1, 1])
  })
})
