/**
 * Files that the user of a site and its programs make: programs that repeat the modes of files and folders, uploads by SFTP, sites that an
 * earlier version made. All of them work, Apache serves what the site lets its group read, and no other site reads anything.
 */
import { beforeAll, describe, expect, test } from 'vitest'
import { readScript } from '@/lib/service/machines/debian/script'
import type { SiteOnHost } from '@/lib/service/machines/sites'
import { openChance } from '../support/seeds'
import { someDebians } from './releases'
import { backupsFolder, backupsOf } from './sites/backed-up'
import { useHostWithSites } from './sites/host-with-sites'
import { phpPage, watchSite } from './sites/php-page'
import { sftp } from './sites/sftp'
import { creation, deletion, endOf, naming, pulling, siteNamed, sitePassword, upload, visit } from './sites/site-job'
import { ask } from './sites/wordpress'

const chance = openChance()

const one = siteNamed('onetest1a2b', 'one.test')
const two = siteNamed('twotest3c4d', 'two.test')
const old = siteNamed('oldtest5e6f', 'old.test')
const copy = siteNamed('stagingtest7a8b', 'staging.old.test')

/** Runs a command as the site's PHP does. */
const runner = `<?php exec("cd $_SERVER[DOCUMENT_ROOT]; { $_POST[command]\\n} 2>&1", $lines, $code); echo implode("\\n", [...$lines, "ended with $code"]);`

/** Each makes the folder \`made\` in public, from the folder \`source\` there, by a program that repeats modes. */
const programs: readonly [title: string, command: string][] = [
  ['rsync -a', 'rsync -a source/ made/'],
  ['cp -a', 'cp -a source made'],
  ['tar -p', 'mkdir made && tar -cpf ../private/all.tar -C source . && tar -xpf ../private/all.tar -C made'],
  ['a whole backup with cp -a and back', 'rm -rf ../private/all && cp -a . ../private/all && cp -a ../private/all/source made'],
  [
    'install with the modes of the source',
    'install -d -m $(stat -c %a source) made made/sub && install -m $(stat -c %a source/a.txt) source/a.txt made && install -m $(stat -c %a source/sub/b.txt) source/sub/b.txt made/sub',
  ],
  ['a folder that is renamed from private', 'rm -rf ../private/made && cp -a source ../private/made && mv ../private/made made'],
  ['a folder that is renamed from /tmp', 'rm -rf /tmp/made && cp -a source /tmp/made && mv /tmp/made made'],
  [
    'chmod --reference',
    'mkdir made made/sub && cp source/a.txt made && cp source/sub/b.txt made/sub && chmod --reference=. made made/sub && chmod --reference=source/a.txt made/a.txt made/sub/b.txt',
  ],
]

/** As WordPress makes folders and files, and as Composer fills folders from its cache. */
const phpPrograms = `<?php
$mode = fn($path) => stat($path)['mode'] & 07777;
mkdir('wp', $mode('.')) && chmod('wp', $mode('.')) && mkdir('wp/sub', $mode('wp')) || exit('mkdir');
copy('source/a.txt', 'wp/sub/b.txt') && chmod('wp/sub/b.txt', $mode('wp/sub') & 0666) || exit('chmod');
$cache = '../private/cache';
mkdir($cache, $mode('source')) && copy('source/a.txt', "$cache/a.txt") && chmod("$cache/a.txt", $mode('source/a.txt')) || exit('cache');
mkdir('composer', $mode($cache)) && copy("$cache/a.txt", 'composer/a.txt') && chmod('composer/a.txt', $mode("$cache/a.txt")) || exit('composer');
rename($cache, 'renamed') || exit('rename');
file_put_contents('/tmp/written', 'written') && rename('/tmp/written', 'written.txt') || exit('rename from /tmp');
echo 'done';
`

describe.each(someDebians(chance))(`$debian, SEED=${chance.seed}`, ({ release }) => {
  const admitted = useHostWithSites(release, [one, two, old])
  const { run, backUp, restore } = backupsOf(admitted, old)

  /** What a program of the site prints, confined as its PHP is, with its exit code. */
  const runAs = async ({ domain }: SiteOnHost, command: string): Promise<string> =>
    (await ask(admitted().host, domain, '/run.php', { form: { command } })).text
  const mustRunAs = async (site: SiteOnHost, command: string) => expect(await runAs(site, command)).toMatch(/(^|\n)ended with 0$/)
  /** Whose what is in the folders of the site is, in groups; with setgid or other special bits in front. */
  const owners = ({ name }: SiteOnHost) =>
    run(`cd /home/${name} && find . -mindepth 1 -name '.re*' -prune -o -printf '%u:%g\\n' | sort -u; find public private -perm /7000`)

  beforeAll(async () => {
    const { host } = admitted()
    const rsync = 'export DEBIAN_FRONTEND=noninteractive; apt-get -q update && apt-get -q -y install rsync'
    expect(await host.run(rsync, { timeoutMs: 600_000 })).toMatchObject({ code: 0 })
    for (const site of [one, two, old]) {
      await upload(host, site, 'run.php', runner)
      await upload(host, site, 'php.php', phpPage)
      await mustRunAs(
        site,
        'mkdir -m 750 source source/sub; echo a >source/a.txt; echo b >source/sub/b.txt; chmod 640 source/a.txt source/sub/b.txt',
      )
    }
  })

  test.each(programs)('%s works as a program of the site, and Apache serves what it makes', async (_, command) => {
    const { host } = admitted()
    await mustRunAs(one, `rm -rf made; ${command}`)
    expect(await visit(host, one.domain, '/made/a.txt')).toBe('200 a\n')
    expect(await visit(host, one.domain, '/made/sub/b.txt')).toBe('200 b\n')
    expect(await owners(one)).toBe(`${one.name}:${one.name}\n`)
  })

  test('PHP that repeats the modes of folders and files works, and Apache serves what it makes', async () => {
    const { host } = admitted()
    await upload(host, one, 'modes.php', phpPrograms)
    expect(await visit(host, one.domain, '/modes.php')).toBe('200 done')
    for (const path of ['/wp/sub/b.txt', '/composer/a.txt', '/renamed/a.txt']) expect(await visit(host, one.domain, path)).toBe('200 a\n')
    expect(await visit(host, one.domain, '/written.txt')).toBe('200 written')
    expect(await owners(one)).toBe(`${one.name}:${one.name}\n`)
  })

  test('what the user uploads and renames by SFTP is served, unless its mode keeps its group out', async () => {
    const { host } = admitted()
    const commands = [
      'mkdir photos',
      'put /etc/hostname photos/by-sftp.txt',
      'put /etc/hostname ../private/kept.txt',
      'rename ../private/kept.txt photos/renamed.txt',
    ]
    const said = await sftp(host, one.name, sitePassword, [
      ...commands,
      'put /etc/hostname photos/closed.txt',
      'chmod 600 photos/closed.txt',
    ])
    expect(said).not.toMatch(/denied|failure|couldn't/i)
    expect(await visit(host, one.domain, '/photos/by-sftp.txt')).toMatch(/^200 ./)
    expect(await visit(host, one.domain, '/photos/renamed.txt')).toMatch(/^200 ./)
    expect(await visit(host, one.domain, '/photos/closed.txt')).toMatch(/^403/)
    expect(await owners(one)).toBe(`${one.name}:${one.name}\n`)
  })

  test('security 61: Apache reads the files of both sites; the user of one reads nothing of the other and gets into no other group', async () => {
    const { host } = admitted()
    for (const site of [one, two]) expect(await visit(host, site.domain, '/source/a.txt')).toBe('200 a\n')
    const groups = (await run(`id -Gn ${one.name}`)).trim().split(' ')
    expect(groups.sort()).toEqual(['gatehouse-sites', one.name].sort())
    expect(await run(`id -Gn www-data | tr ' ' '\\n' | grep -c test`)).toBe('3\n')
    const attempts = [
      `ls /home/${two.name}`,
      `ls /home/${two.name}/public`,
      `cat /home/${two.name}/public/source/a.txt`,
      `echo id | newgrp ${two.name}`,
      `sg ${two.name} id`,
      `sg www-data id`,
      `chgrp ${two.name} source`,
      'chgrp www-data source',
    ]
    for (const attempt of attempts) {
      expect(await runAs(one, attempt)).toMatch(/ended with [1-9]/)
      // Nor outside of its unit, by modes alone.
      expect((await host.run(`cd /home/${one.name}/public && runuser -u ${one.name} -- sh -c '${attempt}' </dev/null`)).code).not.toBe(0)
    }
  })

  /** Makes the folders of a site what an earlier version made of them, with Apache opening its files. */
  const makeOld = async (site: SiteOnHost) => {
    const { name } = site
    await run(
      `gpasswd -d www-data ${name}; systemctl disable --now gatehouse-files@${name}; rm /etc/gatehouse/sites/${name}/files.conf
      cd /home/${name} && chgrp -R www-data public && find public -type d -exec chmod 2750 {} +`,
    )
    expect(await endOf(admitted().machine, naming(site))).toMatchObject({ status: 'done' })
    await expect.poll(() => visit(admitted().host, old.domain, '/source/a.txt')).toBe('200 a\n')
    expect(await runAs(old, 'mkdir -m $(stat -c %a .) again-$$')).toContain('not permitted')
  }
  const upgradeFiles = () => {
    const script = readScript('sites/site.bash', 'upgrade/files.bash')
    return run(`bash -euo pipefail -s`, `${script}\nname_site '${old.id}' ${old.name} ${old.domain} ''\nupgrade_site_files\n`)
  }

  test('a site that an earlier version made gets the present layout while it answers; what others own stays, and links lead nowhere else', async () => {
    const { host } = admitted()
    await makeOld(old)
    await run(
      `cd /home/${old.name}/public && echo root >by-root.txt && chmod 640 by-root.txt && cp by-root.txt /root/secret && chgrp www-data by-root.txt /root/secret && ln -s /root/secret out && chown -h ${old.name}:www-data out`,
    )
    await mustRunAs(old, 'seq 2000 | sed s,^,many-, | xargs mkdir -p; ls -d many-* | sed s,$,/file, | xargs touch')
    const watching = watchSite(host, old.domain)
    const said = await upgradeFiles()
    expect(await watching.stop()).toMatchObject({ failed: [] })
    expect(said).toMatch(
      /^20\d\d folders of old\.test no longer have setgid, .*\n1 files or folders in \/home\/oldtest5e6f belong to another user/,
    )
    expect(await owners(old)).toBe(`${old.name}:${old.name}\nroot:www-data\n`)
    expect(await run('stat -c %U:%G /root/secret')).toBe('root:www-data\n')
    await mustRunAs(old, 'mkdir -m $(stat -c %a .) like-its-parent; cp -a source like-its-parent')
    expect(await visit(host, old.domain, '/like-its-parent/source/a.txt')).toBe('200 a\n')
    expect(await visit(host, old.domain, '/by-root.txt')).toBe('200 root\n')
    expect(await upgradeFiles()).toMatch(/^1 files or folders [^\n]*\n$/)
    await run(
      `rm -rf /home/${old.name}/public/many-* /home/${old.name}/public/out /home/${old.name}/public/like-its-parent /home/${old.name}/public/by-root.txt`,
    )
  })

  test('an archive of an earlier version is restored in the present layout, also where the site itself still has the former one', async () => {
    const { host } = admitted()
    const name = await backUp()
    const forged = `${old.domain}-20200101-000000-manual.tar.zst`
    await run(`rm -rf /root/forged && mkdir /root/forged && cd /root/forged && tar -xf ${backupsFolder}/${name} &&
      sed -i 's/^format .*/format 1/; /^email /d' manifest &&
      chgrp -R www-data files/public && find files/public -type d -exec chmod 2750 {} + &&
      tar --zstd -cf ${backupsFolder}/${forged} --numeric-owner manifest database.sql files/public files/private`)
    await makeOld(old)
    await run(`rm -r /home/${old.name}/public/source`)
    expect(await restore(forged)).toMatchObject({ status: 'done' })
    expect(await owners(old)).toBe(`${old.name}:${old.name}\n`)
    await mustRunAs(old, 'mkdir -m $(stat -c %a .) like-its-parent; cp -a source like-its-parent')
    expect(await visit(host, old.domain, '/like-its-parent/source/a.txt')).toBe('200 a\n')
  })

  test('a staging copy of a site with the former layout has the present one', async () => {
    const { host, machine } = admitted()
    await makeOld(old)
    const pull = pulling(old, copy, { directory: '', roots: '', contact: '' })
    expect(await endOf(machine, pull)).toMatchObject({ status: 'done' })
    expect(await owners(copy)).toBe(`${copy.name}:${copy.name}\n`)
    const auth = `Basic ${Buffer.from('staging:for browsers').toString('base64')}`
    expect(await ask(host, copy.domain, '/source/a.txt', { auth })).toMatchObject({ status: 200, text: 'a\n' })
  })

  test('of a site that is deleted, no group is left, and no process of Apache has its number', async () => {
    const { host, machine } = admitted()
    const gid = (await run(`id -g ${old.name}`)).trim()
    expect(await endOf(machine, deletion(old, false))).toMatchObject({ status: 'done' })
    expect(await run(`grep -sE '${old.name}|${copy.name}' /etc/group /etc/gshadow /etc/passwd || true`)).toBe('')
    await expect.poll(() => run(`grep -hE '^Groups:.*\\b${gid}\\b' $(pgrep -x apache2 | sed 's,.*,/proc/&/status,') || true`)).toBe('')
    expect(await visit(host, two.domain, '/source/a.txt')).toBe('200 a\n')
    expect(await endOf(machine, creation(old))).toMatchObject({ status: 'done' })
    expect(await visit(host, old.domain)).toMatch(/^200 /)
  })
})
