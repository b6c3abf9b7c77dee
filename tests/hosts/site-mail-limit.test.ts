/** Programs of a site send a limited number of mails an hour: more is refused to the program, and said to the site's owner. */
import { describe, expect, test } from 'vitest'
import { openChance } from '../support/seeds'
import { someDebians } from './releases'
import { useHostWithSites } from './sites/host-with-sites'
import { changingSettings, endOf, siteNamed, upload, visit } from './sites/site-job'

const chance = openChance()
const one = siteNamed('onemail1a2b', 'one.test')
const two = siteNamed('twomail3c4d', 'two.test')
const three = siteNamed('threemail5e6f', 'three.test')

describe.each(someDebians(chance))(`$debian, SEED=${chance.seed}`, ({ release }) => {
  const admitted = useHostWithSites(release, [one, two, three])
  const run = async (command: string) => (await admitted().host.run(command)).stdout
  const settingsOf = async (site: typeof one) => {
    const { machine } = admitted()
    return (await machine.sites.facts([site])).get(site.name)?.settings
  }
  const limit = async (site: typeof one, mailPerHour: number | null) => {
    const { php = '' } = (await settingsOf(site)) ?? {}
    return endOf(admitted().machine, changingSettings(site, php, { mailPerHour }))
  }
  /** What PHP's mail() says of that many mails, one after the other. */
  const send = async (site: typeof one, count: number, recipients = 'root@localhost'): Promise<string> => {
    const loop = `for ($i = 0; $i < ${count}; $i++) { echo mail('${recipients}', 'subject', 'text') ? 'y' : 'n'; usleep(300000); }`
    await upload(admitted().host, site, 'mails.php', `<?php ${loop}`)
    return (await visit(admitted().host, site.domain, '/mails.php')).replace(/^200 /, '')
  }

  test('mails beyond the number of a site are refused to mail(), its log and its settings say so, and others send', async () => {
    expect((await settingsOf(one))?.mailPerHour).toBe(200)
    expect(await limit(one, 5)).toMatchObject({ status: 'done' })
    expect(await settingsOf(one)).toMatchObject({ mailPerHour: 5, mailHeldUntil: '' })
    // The list follows a mail by a moment.
    expect(await send(one, 10)).toMatch(/^yyyyyy?y?n+$/)
    expect(
      (await run(`grep -c 'Gatehouse: The site has reached its limit of 5 mails' /var/log/gatehouse-sites/${one.name}/php.log`)).trim(),
    ).toBe('1')
    const until = Date.parse((await settingsOf(one))?.mailHeldUntil ?? '')
    expect(until - Date.now()).toBeGreaterThan(3_000_000)
    expect(until - Date.now()).toBeLessThan(3_700_000)
    expect(await send(two, 2)).toBe('yy')
    // Root is no site.
    expect(await run(`echo text | sendmail root@localhost && echo taken`)).toBe('taken\n')
  })

  test('the site’s programs get round it neither by postdrop nor by what is counted, and a restart forgets nothing', async () => {
    const { host } = admitted()
    const attempts = `echo shell_exec('id -un; printf "" >/etc/gatehouse/sites/.held-mail; rm -f /etc/gatehouse/sites/.held-mail; for each in /usr/local/lib/gatehouse/sendmail-of-server "/usr/sbin/sendmail -f ${two.name}"; do echo text | $each root@localhost && echo taken; done; /usr/sbin/postdrop </dev/null 2>&1');`
    await upload(host, one, 'around.php', `<?php ${attempts}`)
    const said = await visit(host, one.domain, '/around.php')
    expect(said).toContain('is not allowed to submit mail')
    expect(said).not.toContain('taken')
    await run('systemctl restart gatehouse-mail-limits && sleep 2')
    expect(await send(one, 1)).toBe('n')
    expect((await run(`grep -c 'Gatehouse: The site has reached' /var/log/gatehouse-sites/${one.name}/php.log`)).trim()).toBe('1')
  })

  test('programs that began to send before the number was reached send nothing after it', async () => {
    const { host } = admitted()
    expect(await limit(three, 3)).toMatchObject({ status: 'done' })
    const begun = `$held = []; for ($i = 0; $i < 6; $i++) { $pipes = []; $held[] = [proc_open('/usr/sbin/sendmail -i root@localhost', [['pipe', 'r']], $pipes), $pipes[0]]; fwrite($pipes[0], "Subject: held\\n\\n"); fflush($pipes[0]); }`
    const reached = `sleep(2); for ($i = 0; $i < 20 && mail('root@localhost', 'subject', 'text'); $i++) usleep(500000); sleep(2);`
    const ended = `foreach ($held as [$program, $pipe]) { @fwrite($pipe, "text\\n"); fclose($pipe); echo proc_close($program) === 0 ? 'y' : 'n'; }`
    await upload(host, three, 'held.php', `<?php ${begun} ${reached} ${ended}`)
    expect(await visit(host, three.domain, '/held.php')).toBe('200 nnnnnn')
  })

  test('a mail counts for each of its recipients', async () => {
    expect(await limit(two, 7)).toMatchObject({ status: 'done' })
    // Two were sent before.
    expect(await send(two, 4, 'root@localhost, daemon@localhost, bin@localhost')).toMatch(/^yyy?n+$/)
    expect(await limit(two, 200)).toMatchObject({ status: 'done' })
  })

  test('with a larger number it sends again, also one that is saved without the field keeps it', async () => {
    expect(await limit(one, 1000)).toMatchObject({ status: 'done' })
    await expect.poll(() => send(one, 1), { timeout: 30_000, interval: 1000 }).toBe('y')
    expect(await limit(one, null)).toMatchObject({ status: 'done' })
    expect(await settingsOf(one)).toMatchObject({ mailPerHour: 1000, mailHeldUntil: '' })
  })
})
