/** Which system users of real hosts may not be deleted, because something on the server still uses them or their homes. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { register } from '../service/conformance/servers'
import { deleteUser, saveUser, type UsersTarget } from '../service/conformance/users'
import { openTestService, type TestService } from '../service/support/service'
import { type Host, startHost } from './lab/lab'

const site = '/etc/apache2/sites-enabled/site.conf'
const nginx = '/etc/nginx/conf.d/site.conf'
const unit = '/etc/systemd/system/app.service'

/** Settings that use the user dora or the folder /home/dora, by the kind of file. */
const uses: readonly (readonly [why: string, path: string, text: string])[] = [
  ['DocumentRoot without a slash', site, 'DocumentRoot /home/dora'],
  ['DocumentRoot with a slash', site, 'DocumentRoot /home/dora/'],
  ['DocumentRoot in quotes', site, 'DocumentRoot "/home/dora"'],
  ['a directive in lower case', site, "  documentroot '/home/dora/public'"],
  ['a folder above the home', site, 'DOCUMENTROOT /home/'],
  ['a path with doubled slashes and dots', site, 'DocumentRoot //home/kim/../dora'],
  ['an alias', site, 'Alias /files /home/dora'],
  ['a folder by a pattern', site, 'VirtualDocumentRoot /home/%0'],
  ['a fragment of Apache', '/etc/apache2/conf-enabled/files.conf', 'ScriptAlias /cgi "/home/dora/cgi"'],
  ['a link to the home', site, 'DocumentRoot /srv/link'],
  ['nginx, root', nginx, 'server { root /home/dora; }'],
  ['nginx, alias', '/etc/nginx/sites-enabled/site', 'location /x { alias "/home/dora/"; }'],
  ['nginx, a variable', nginx, 'server { root /home/$user; }'],
  ['systemd, its user', unit, '[Service]\nUser=dora'],
  ['systemd, its number', unit, '[Service]\n User = NUMBER'],
  ['systemd, a drop-in', '/etc/systemd/system/cron.service.d/own.conf', '[Service]\nUser="dora"'],
  ['systemd, the folder', unit, '[Service]\nWorkingDirectory=-/home/dora'],
  ['systemd, the program', unit, '[Service]\nExecStart=@/home/dora/bin/app app'],
]

/** Settings with similar names. */
const harmless: readonly (readonly [path: string, text: string])[] = [
  [site, '# DocumentRoot /home/dora\nDocumentRoot /home/dorado\n<Directory /home>\n</Directory>\nDocumentRoot /srv/home/dora'],
  [nginx, '# root /home/dora;\nserver { root /home/dora2; }'],
  [unit, '[Service]\n;User=dora\nUser=dorado\nExecStart=/usr/bin/dora --http https://example.net/home/dora'],
  ['/etc/apache2/sites-available/off.conf', 'DocumentRoot /home/dora'],
]

describe('a system user that is still in use is not deleted', () => {
  let host: Host
  let service: TestService
  let target: UsersTarget
  const write = (path: string, text: string) => host.run(`mkdir -p "$(dirname ${path})" && cat >${path}`, { stdin: `${text}\n` })
  const expectRefusal = async (why: string, path: string) => {
    const { status, body } = await deleteUser(target, 'dora')
    expect.soft([why, status, body.code, JSON.stringify(body.fields)]).toEqual([why, 422, 'invalid', expect.stringContaining(path)])
    expect((await host.run('id dora; ls -d /home/dora/mine')).stdout).toContain('/home/dora/mine')
  }

  beforeAll(async () => {
    host = await startHost({ login: { kind: 'root-key' }, release: 'bookworm' })
    service = await openTestService()
    const { id } = await register(service, { provider: 'ssh', host: host.ip, port: String(host.port), ...host.login }, 'users')
    target = { ...service, id, own: host.login.user }
    await host.run('ln -s /home/dora /srv/link')
  })
  afterAll(async () => {
    await service[Symbol.asyncDispose]()
    await host.stop()
  })

  const add = async () => {
    await saveUser(target, 'dora')
    await host.run('touch /home/dora/mine')
  }

  test('a site, an alias or a unit that uses the user or its home prevents the deletion and is named', async () => {
    await add()
    const number = (await host.run('id -u dora')).stdout.trim()
    for (const [why, path, text] of uses) {
      await write(path, text.replace('NUMBER', number))
      await expectRefusal(why, path)
      await host.run(`rm ${path}`)
    }
  })

  test('another account’s home inside the home prevents the deletion, and so does a home that is a link to a site', async () => {
    await host.run('useradd -M -d /home/dora/guest guest')
    await expectRefusal('another home', '/etc/passwd (guest)')
    await host.run('userdel guest; mkdir /srv/site && mv /home/dora/mine /srv/site && rmdir /home/dora 2>/dev/null || rm -r /home/dora')
    await host.run('ln -s /srv/site /home/dora')
    await write(site, 'DocumentRoot /srv/site')
    await expectRefusal('a home that is a link', site)
    await host.run(`rm ${site} /home/dora; mv /srv/site /home/dora; chown -R dora: /home/dora`)
  })

  test('a file included by the running web servers prevents the deletion wherever it is', async () => {
    const installed = await host.run(`export DEBIAN_FRONTEND=noninteractive
      apt-get -qq update && apt-get -qq install -y --no-install-recommends apache2 nginx-light </dev/null >/dev/null
      mkdir /etc/sites && echo 'IncludeOptional /etc/sites/*.apache' >>/etc/apache2/apache2.conf
      sed -i 's,^http {,http { include /etc/sites/*.nginx;,' /etc/nginx/nginx.conf`)
    expect(installed.code).toBe(0)
    for (const [path, text] of [
      ['/etc/sites/a.apache', '<VirtualHost *:80>\nDocumentRoot /home/dora\n</VirtualHost>'],
      ['/etc/sites/a.nginx', 'server { listen 8081; root /home/dora; }'],
    ] as const) {
      await write(path, text)
      await expectRefusal('an included file', path)
      await host.run(`rm ${path}`)
    }
  })

  test('a template of Gatehouse prevents the deletion only where it runs for the home, or starts for it at boot', async () => {
    const template = '/etc/systemd/system/gatehouse-php8.2@.service'
    await write(template, '[Service]\nExecStart=/bin/sleep 1000\nBindPaths=/home/%i\n[Install]\nWantedBy=multi-user.target')
    await host.run('systemctl daemon-reload; systemctl enable --now gatehouse-php8.2@dora')
    await expectRefusal('an instance that runs', template)
    await host.run('systemctl stop gatehouse-php8.2@dora')
    await expectRefusal('an instance that starts at boot', template)
    await host.run('systemctl disable gatehouse-php8.2@dora; systemctl enable --now gatehouse-php8.2@another1a2b')
    expect(await deleteUser(target, 'dora')).toMatchObject({ status: 200 })
    await add()
  })

  test('similar names of users and homes do not prevent the deletion', async () => {
    for (const [path, text] of harmless) await write(path, text)
    await host.run('useradd dorado')
    expect(await deleteUser(target, 'dora')).toMatchObject({ status: 200 })
    expect((await host.run('id dora; ls -d /home/dora')).stdout).toBe('')
  })
})
