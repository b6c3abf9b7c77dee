import { expect, test } from 'vitest'
import { install } from '../install-run'
import { startHost } from '../lab/lab'
import { admitTo } from '../reach'
import { differences, whileRegistered } from './differences'
import { photograph } from './photograph'

/** A package as a vendor of another database or a panel makes it: it cannot be there together with one that the install brings. */
const prepare = `mkdir -p /root/package/DEBIAN && cd /root && printf '%s\\n' 'Package: vendor-panel' 'Version: 1.0' 'Architecture: all' \
  'Maintainer: vendor <vendor@example.net>' 'Description: a panel' 'Conflicts: mariadb-server' >package/DEBIAN/control
  dpkg-deb --build package >/dev/null && dpkg -i package.deb >/dev/null && rm -r package package.deb
  DEBIAN_FRONTEND=noninteractive apt-get -qq update`

test('an install that would have to remove a package ends before any change and names the package', { timeout: 600_000 }, async () => {
  await using host = await startHost({ login: { kind: 'root-key' }, release: 'trixie' })
  await using outsider = await startHost({ login: { kind: 'root-key' }, name: 'outsider' })
  expect(await host.run(prepare)).toMatchObject({ code: 0 })
  const take = () => photograph(host, outsider, { rules: 'true', listeners: { ports: [22, 25, 80, 443, 3306], pages: [] } })
  const packages = async () => (await host.run('dpkg-query -W; ls -l --time-style=full-iso /var/lib/apt/lists')).stdout
  const [before, packagesBefore] = [await take(), await packages()]
  await using admitted = await admitTo(host)
  for (const time of ['first', 'second']) {
    const last = (await install(admitted)).at(-1)
    expect.soft([time, last]).toMatchObject([time, { status: 'failed', error: expect.stringMatching(/Nothing was changed.*vendor-panel/) }])
    expect.soft(differences(before, await take(), { ours: whileRegistered, newParts: [] })).toEqual([])
    expect(await packages()).toBe(packagesBefore)
  }
  expect(await admitted.machine.cleanUp()).toBe(true)
  expect(differences(before, await take(), { ours: [], newParts: [] })).toEqual([])
})
