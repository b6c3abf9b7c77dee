/** How files of a site are served: as their names and kinds say, by a program that can read nothing of other sites. */
import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import { describe, expect, test } from 'vitest'
import { openChance } from '../support/seeds'
import { someDebians } from './releases'
import { useHostWithSites } from './sites/host-with-sites'
import { siteNamed, upload, visit } from './sites/site-job'

const chance = openChance()

const one = siteNamed('oneowner1a2b', 'one.test')
const two = siteNamed('twoowner3c4d', 'two.test')

const secret = 'the-password-of-two'

/** Swaps a file of the site for a link to `t` and back, for `s` seconds. */
const swapping = `<?php
set_time_limit(0);
chdir(__DIR__);
file_put_contents('own.txt', 'oooo');
link('own.txt', 'x.txt');
for ($end = microtime(true) + (int) $_GET['s'], $swaps = 0; microtime(true) < $end; $swaps++) {
  symlink($_GET['t'], 'l');
  rename('l', 'x.txt');
  link('own.txt', 'h');
  rename('h', 'x.txt');
}
unlink('x.txt');
echo "swapped $swaps end";
`

/** Empties large files that are being served, and fills them again, for `s` seconds. */
const truncating = `<?php
set_time_limit(0);
chdir(__DIR__);
for ($at = 0; $at < 8; $at++) file_put_contents("big$at.html", str_repeat('A', 3000000));
for ($end = microtime(true) + (int) $_GET['s'], $cuts = 0; microtime(true) < $end; usleep(500))
  for ($at = 0; $at < 8; $at++, $cuts++) {
    $file = fopen("big$at.html", 'r+');
    ftruncate($file, 0);
    usleep(300);
    ftruncate($file, 3000000);
    fclose($file);
  }
echo "cut $cuts end";
`

describe.each(someDebians(chance))(`$debian, SEED=${chance.seed}`, ({ release }) => {
  const admitted = useHostWithSites(release, [one, two])
  const run = async (command: string) => (await admitted().host.run(command)).stdout

  type Reply = { status: number; headers: IncomingHttpHeaders; text: string }

  const ask = (domain: string, path: string, { agent, headers = {} }: { agent?: Agent; headers?: Record<string, string> } = {}) =>
    new Promise<Reply>((resolve, reject) => {
      const asked = request({ host: admitted().host.ip, path, headers: { host: domain, ...headers }, agent: agent ?? false }, (reply) => {
        const chunks: Buffer[] = []
        reply.on('data', (chunk: Buffer) => chunks.push(chunk))
        reply.once('error', reject)
        reply.once('end', () =>
          resolve({ status: reply.statusCode ?? 0, headers: reply.headers, text: Buffer.concat(chunks).toString('latin1') }),
        )
      })
      asked.setTimeout(20_000, () => asked.destroy(new Error('No answer.')))
      asked.once('error', reject)
      asked.end()
    })

  /** Asks again and again, with some connections at once, until the work ends. */
  async function askMeanwhile(domain: string, path: (count: number) => string, work: Promise<string>): Promise<Map<string, number>> {
    const found = new Map<string, number>()
    let ended = false
    const agent = new Agent({ keepAlive: true })
    const loop = async () => {
      for (let count = 0; !ended; count++) {
        const seen = await ask(domain, path(count), { agent }).then(
          ({ status, text }) => `${status}${text.includes(secret) ? ` ${secret}` : ''}`,
          (error: Error & { code?: string }) => error.code ?? error.message,
        )
        found.set(seen, (found.get(seen) ?? 0) + 1)
      }
    }
    const loops = [loop(), loop(), loop()]
    expect(await work).toMatch(/^200 .* end$/)
    ended = true
    await Promise.all(loops)
    agent.destroy()
    return found
  }

  test('security 61: a file that is swapped for a link at any moment leads to no file of another site', async () => {
    const { host } = admitted()
    await upload(host, two, 'config.php', `<?php $password = '${secret}';`)
    expect(await run(`stat -c %a /home/${two.name}/public/config.php`)).toBe('644\n')
    await upload(host, one, 'swap.php', swapping)
    const work = visit(host, one.domain, `/swap.php?s=12&t=/home/${two.name}/public/config.php`)
    const found = await askMeanwhile(one.domain, () => '/x.txt', work)
    expect(found.get('200')).toBeGreaterThan(100)
    expect([...found.keys()].filter((seen) => !['200', '403', '404'].includes(seen))).toEqual([])
  })

  test('security 61: a file that shrinks while it is served ends no request of another site', async () => {
    const { host } = admitted()
    await upload(host, one, 'cut.php', truncating)
    await upload(host, two, 'page.php', '<?php echo "two";')
    const work = visit(host, one.domain, '/cut.php?s=12')
    const [others] = await Promise.all([
      askMeanwhile(two.domain, () => '/page.php', work),
      askMeanwhile(one.domain, (count) => `/big${count % 8}.html`, work),
    ])
    expect([...others.keys()]).toEqual(['200'])
    expect(await run('grep -c "exit signal Bus error" /var/log/apache2/error.log')).toBe('0\n')
  })

  test('files are served by their names, kinds and parts; folders, hidden files and sources of programs are not', async () => {
    const { host } = admitted()
    const at = `/home/${one.name}/public`
    await run(`runuser -u ${one.name} -- sh -c 'cd ${at} && mkdir -p sub empty && echo idx >sub/index.html && ln -sfn sub in && ln -sfn /etc out
      echo text >"a b%20ü.txt" && printf 0123456789 >digits.svg && echo none >noending && echo "{}" >app.webmanifest && echo x >.hidden'`)
    await upload(host, one, 'info.php', '<?php echo $_SERVER["PATH_INFO"] ?? "", " program";')
    await upload(host, one, 'own-404.php', '<?php http_response_code(404); echo "own words";')
    const kindOf = async (path: string) => {
      const { status, headers } = await ask(one.domain, path)
      return [path, status, headers['content-type'] ?? '']
    }
    for (const expected of [
      ['/a%20b%2520%C3%BC.txt', 200, 'text/plain'],
      ['/digits.svg?v=1', 200, 'image/svg+xml'],
      ['/app.webmanifest', 200, 'application/manifest+json'],
      ['/noending', 200, ''],
      ['/sub/', 200, 'text/html'],
      ['/in/index.html', 200, 'text/html'],
    ])
      expect(await kindOf(`${expected[0]}`)).toEqual(expected)
    const statusOf = async (path: string) => [path, (await ask(one.domain, path)).status]
    for (const expected of [
      ['/sub', 301],
      ['/empty/', 403],
      ['/none.txt', 404],
      ['/none.php', 404],
      ['/sub/index.html/more', 404],
      ['/digits.svg/', 404],
      ['/.hidden', 403],
      ['/out/passwd', 403],
      ['/%2e%2e/%2e%2e/etc/passwd', 400],
    ])
      expect(await statusOf(`${expected[0]}`)).toEqual(expected)
    expect((await ask(one.domain, '/info.php/more')).text).toBe('/more program')
    expect((await ask(one.domain, '/own-404.php')).text).toBe('own words')
    for (const path of ['/none.txt', '/digits.svg']) expect((await ask(one.domain, path)).headers.server).toMatch(/^Apache/)

    const part = await ask(one.domain, '/digits.svg', { headers: { range: 'bytes=2-4' } })
    expect([part.status, part.text]).toEqual([206, '234'])
    const { headers } = await ask(one.domain, '/digits.svg')
    expect((await ask(one.domain, '/digits.svg', { headers: { 'if-none-match': `${headers.etag}` } })).status).toBe(304)
    expect((await ask(one.domain, '/digits.svg', { headers: { 'if-modified-since': `${headers['last-modified']}` } })).status).toBe(304)
  })

  test('nothing but Apache gets to the program that reads files, which reads nothing but its own site and ends with it', async () => {
    const { host } = admitted()
    const socket = `/run/gatehouse-files/${two.name}/files.sock`
    await upload(
      host,
      one,
      'connect.php',
      `<?php echo @stream_socket_client('unix://${socket}', $code, $why) ? 'in' : $why, ' ', @stream_socket_client('unix:///run/gatehouse-files/${one.name}/files.sock', $code, $why) ? 'in' : $why;`,
    )
    expect(await visit(host, one.domain, '/connect.php')).toBe('200 Permission denied Permission denied')
    const worker = `$(pgrep -P $(systemctl show -P MainPID gatehouse-files@${one.name}))`
    expect(await run(`ls /proc/${worker}/root/home`)).toBe(`${one.name}\n`)
    expect(await run(`ps -o user=,group= -p ${worker}; grep -E '^(CapEff|NoNewPrivs):' /proc/${worker}/status | tr -s '\\t ' ' '`)).toMatch(
      new RegExp(`^gatehou\\S* +${one.name.slice(0, 7)}\\S*\\nCapEff: 0+\\nNoNewPrivs: 1\\n$`),
    )
    expect(await run(`setpriv --reuid gatehouse-files --regid ${one.name} --clear-groups ls /home/${two.name}/public 2>&1`)).toMatch(
      'Permission denied',
    )
    // What only the site's user may read is served to nobody, and what its group may read is.
    await run(
      `cd /home/${one.name}/public && runuser -u ${one.name} -- sh -c 'echo own >own.txt && chmod 600 own.txt && echo ours >ours.txt && chmod 640 ours.txt'`,
    )
    expect(await visit(host, one.domain, '/own.txt')).toMatch(/^403/)
    expect(await visit(host, one.domain, '/ours.txt')).toBe('200 ours\n')
    await upload(host, one, 'still.txt', 'still there')
    await host.reboot()
    await expect.poll(() => visit(host, one.domain, '/still.txt').catch(String), { timeout: 30_000 }).toBe('200 still there')
    expect(await run('systemctl is-enabled nginx.service; ss -Hltnp | grep -c nginx')).toBe('masked\n0\n')
  })
})
