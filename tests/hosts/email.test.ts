/** Email of sites on a real host, with a second one that really receives what is forwarded and sent. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SiteOnHost } from '@/lib/service/machines/sites'
import { proveEmail } from '../service/conformance/email'
import { isOpen } from '../support/open-port'
import { openChance } from '../support/seeds'
import { install } from './install-run'
import { startInstalled } from './installed'
import { type Authority, startAuthority } from './lab/authority'
import type { Host } from './lab/lab'
import type { AdmittedHost } from './reach'
import { someDebians } from './releases'
import { openHttpService } from './sites/http-service'
import { creation, deletion, endOf, naming, runJob, siteNamed, switchingEmail, switchingSsl } from './sites/site-job'
import { login, openSecureSmtp, openSmtp, sendMail } from './sites/smtp'

const chance = openChance()

const one = siteNamed('onemail1a2b', 'one.test', ['www.one.test'])
const two = siteNamed('twomail3c4d', 'two.test')
const hostname = 'mail.lab.test'
const password = `Pass ü$(id)"'1 of the address`

let authority: Authority
let admitted: AdmittedHost
let far: AdmittedHost

const from = () => ({ directory: authority.directory, roots: authority.roots, contact: '' })
const save = (user: string, destination: string, secret = '', site: SiteOnHost = one) =>
  admitted.machine.sites.saveAddress(site, { user, destination }, secret)
const turn = (site: SiteOnHost, on: boolean) => endOf(admitted.machine, switchingEmail(site, on))
const done = { status: 'done' }

/** A mail server of somebody else, with one mailbox. */
const receiving = `useradd -m reader; postconf -e inet_interfaces=all 'mydestination=far.test, localhost' smtp_host_lookup=dns
  ufw allow 25/tcp; systemctl restart postfix`

/** What another implementation says of the signatures of a mail. key: as DNS would give it to whoever asks for the name. */
async function verifySignature(mail: string, key: string): Promise<string> {
  const verify = `import dkim, sys
key = lambda name, timeout=5: b"v=DKIM1; k=rsa; p=${key}" if name == b"gatehouse._domainkey.one.test." else None
print(dkim.verify(sys.stdin.buffer.read(), dnsfunc=key))`
  // Without what the mailbox added in front.
  const { stdout, stderr } = await far.host.run(`python3 -c '${verify}'`, { stdin: mail.replace(/^From .*\n/, '') })
  return stdout.trim() || stderr
}

const mailbox = async (host: Host, user: string) => (await host.run(`cat /var/mail/${user} 2>/dev/null`)).stdout

/** The lab's name server knows addresses only, and says of others that it fails. */
const sending = 'postconf -P smtp/unix/smtp_dns_support_level=disabled smtp/unix/smtp_host_lookup=native'

/** The one message with that subject, once it has arrived. */
async function received(subject: string, host = far.host, user = 'reader'): Promise<string> {
  const find = async () => (await mailbox(host, user)).split(/^(?=From )/m).filter((text) => text.includes(`Subject: ${subject}\n`))
  await expect.poll(find, { timeout: 60_000, interval: 300 }).toHaveLength(1)
  return (await find())[0] ?? ''
}

/** The answer to one recipient, from a stranger outside. */
async function offer(recipient: string, sender = 'friend@elsewhere.test'): Promise<string> {
  await using smtp = await openSmtp(admitted.host.ip, 25)
  await smtp.say(`MAIL FROM:<${sender}>`)
  // Without a variable, the connection would be closed before the answer.
  const answer = await smtp.say(`RCPT TO:<${recipient}>`)
  return answer
}

const settings = async () => {
  const { stdout } = await admitted.host.run(
    "postconf -n; postconf -Mf; ufw show added; ss -Hltn | awk '{ print $4 }' | sort; systemctl list-units --plain --no-legend 'gatehouse-mail*'",
  )
  return stdout
}

describe.each(someDebians(chance))(`$debian, SEED=${chance.seed}`, ({ release }) => {
  beforeAll(async () => {
    authority = await startAuthority()
    admitted = await startInstalled(release)
    far = await startInstalled(release)
    const { host, machine } = admitted
    for (const each of [host, far.host]) await authority.serveNames(each)
    for (const name of [hostname, one.domain, 'www.one.test', two.domain]) await authority.addAddresses(name, [host.ip])
    await authority.addAddresses('far.test', [far.host.ip])
    await far.host.run(receiving)
    await host.run(sending)
    for (const site of [one, two]) expect(await endOf(machine, creation(site))).toMatchObject(done)
  })
  afterAll(async () => {
    await admitted?.[Symbol.asyncDispose]()
    await far?.[Symbol.asyncDispose]()
    await authority?.[Symbol.asyncDispose]()
  })

  test('what rules email out is said before anything is changed: an incomplete hostname, and a mail server of somebody else by its name', async () => {
    const { host, machine } = admitted
    const before = await settings()
    expect(await turn(one, true)).toMatchObject({
      status: 'failed',
      problem: 'unsuitable',
      error: expect.stringContaining('The hostname of this server is lab'),
    })
    await machine.setHostname(hostname)
    await host.run(
      `cp /etc/gatehouse/manifest /root/ && sed -i 's/^# part mail .*/# part mail kept Exim is the mail server here; Postfix is not installed./' /etc/gatehouse/manifest`,
    )
    expect(await turn(one, true)).toMatchObject({
      status: 'failed',
      problem: 'unsuitable',
      error: expect.stringContaining('Exim is the mail server here'),
    })
    await host.run('cp /root/manifest /etc/gatehouse/manifest')
    expect((await settings()).replace(`myhostname = ${hostname}`, '')).toBe(before.replace(/^myhostname = .*$/m, ''))
    expect(await machine.sites.mail(one)).toEqual({ on: false, key: '', addresses: [] })
  })

  test('a switch that Gatehouse cannot confirm by a new login is taken back, and Postfix stays closed', async () => {
    const { host, machine } = admitted
    const before = await settings()
    const lines = await runJob(machine, switchingEmail(one, true), async ({ message }) => {
      if (message.startsWith('Waiting until Gatehouse')) await host.run('iptables -I INPUT -p tcp --dport 22 --syn -j DROP')
    })
    await host.run('iptables -D INPUT -p tcp --dport 22 --syn -j DROP')
    expect(lines.at(-1)).toMatchObject({ status: 'failed', error: expect.stringContaining('could not log in with the new rules') })
    expect(await settings()).toBe(before)
  })

  test('a mail is accepted at port 25 and forwarded to another server, its sender rewritten so that bounces come back', async () => {
    const { host } = admitted
    expect(await isOpen(host.ip, 25)).toBe(false)
    await save('info', 'reader@far.test')
    expect(await turn(one, true)).toMatchObject({ status: 'done', message: 'Email of one.test is on.' })
    await using smtp = await openSmtp(host.ip, 25)
    expect(await sendMail(smtp, 'friend@elsewhere.test', ['info@one.test'], 'forwarded')).toEqual([
      expect.stringMatching(/^250/),
      expect.stringMatching(/^250/),
      expect.stringMatching(/^250/),
    ])
    const text = await received('forwarded')
    const sender = /^Return-Path: <(.*)>$/m.exec(text)?.[1] ?? ''
    expect(sender).toMatch(/^SRS0=[^@]+=elsewhere\.test=friend@mail\.lab\.test$/i)
    expect(await offer(sender, '')).toMatch(/^250/)
    expect(await offer(sender.replace(/^SRS0=..../, 'SRS0=aaaa'), '')).toMatch(/^5/)
    expect(await offer('info+note@one.test')).toMatch(/^250/)
  })

  test('nothing is relayed, and no user of the server gets mail from outside', async () => {
    for (const recipient of ['reader@far.test', 'reader%far.test@one.test', '"reader@far.test"@one.test', '@one.test:reader@far.test'])
      expect([recipient, await offer(recipient)]).toEqual([recipient, expect.stringMatching(/^[45]/)])
    for (const recipient of [
      'nobody@one.test',
      `root@${hostname}`,
      'root@localhost',
      'info@two.test',
      'info@www.one.test',
      `${one.name}@one.test`,
    ])
      expect([recipient, await offer(recipient)]).toEqual([recipient, expect.stringMatching(/^5/)])
    expect(await offer('reader@far.test', 'info@one.test')).toMatch(/^5/)
    expect(await offer('postmaster@one.test')).toMatch(/^250/)
  })

  test('security 58: an address sends with its password and over the certificate of its site only, as itself only, signed, and not without end', async () => {
    const { host, machine } = admitted
    // Saved before there is a certificate, a password is no login until there is one.
    await save('sales', 'reader@far.test', password)
    expect((await host.run('cat /etc/gatehouse/mail/logins')).stdout).not.toContain('sales@')
    expect(await endOf(machine, switchingSsl(one, true, from()))).toMatchObject(done)
    expect((await host.run('cat /etc/gatehouse/mail/logins')).stdout).toContain('sales@one.test:')
    const root = await authority.chainRoot()
    await using smtp = await openSmtp(host.ip, 587)
    expect(await smtp.say(login('sales@one.test', password))).toMatch(/^5/)
    expect(await smtp.secure('one.test', root)).toMatch(/AUTH PLAIN/)
    expect(await smtp.say(login('sales@one.test', 'another password'))).toMatch(/^535/)
    expect(await smtp.say(login('info@one.test', ''))).toMatch(/^5/)
    expect(await smtp.say('MAIL FROM:<sales@one.test>')).toMatch(/^250/)
    expect(await smtp.say('RCPT TO:<reader@far.test>')).toMatch(/^5/)
    await smtp.say('RSET')
    expect(await smtp.say(login('Sales@one.test', password))).toMatch(/^235/)
    for (const sender of ['info@one.test', 'sales@two.test', 'somebody@elsewhere.test'])
      expect([sender, ...(await sendMail(smtp, sender, ['reader@far.test'], 'as another'))].join(' ')).toMatch(/ 553 /)
    expect(await sendMail(smtp, 'sales@one.test', ['reader@far.test'], 'sent')).toHaveLength(3)
    const text = await received('sent')
    expect(text).toMatch(/^Return-Path: <sales@one\.test>$/m)
    expect(text).toMatch(/^DKIM-Signature: .*?d=one\.test;.*?s=gatehouse;/ms)
    expect((await far.host.run('apt-get -qq install python3-dkim', { timeoutMs: 120_000 })).code).toBe(0)
    const { key } = await machine.sites.mail(one)
    expect(await verifySignature(text, key)).toBe('True')
    expect(await verifySignature(text.replace('Subject: sent', 'Subject: seNt'), key)).toBe('False')
    // Relays fold lines and change spaces; nobody may add a second sender.
    expect(await verifySignature(text.replace('Subject: sent', 'subject:   sent '), key)).toBe('True')
    expect(await verifySignature(text.replace(/^From: /m, 'From: other@one.test\nFrom: '), key)).toBe('False')

    await using wrapped = await openSecureSmtp(host.ip, 465, 'www.one.test', root)
    expect(await wrapped.say(login('sales@one.test', password))).toMatch(/^235/)
    await host.run('echo 3 >/etc/gatehouse/mail/hourly-limit')
    expect((await sendMail(wrapped, 'sales@one.test', ['reader@far.test', 'reader@far.test'], 'second')).at(-1)).toMatch(/^250/)
    expect((await sendMail(wrapped, 'sales@one.test', ['reader@far.test'], 'too many')).at(-1)).toMatch(/^450 .*within an hour/)
    await host.run('echo 200 >/etc/gatehouse/mail/hourly-limit')

    const known = await host.run('grep -rlaF "$(cat)" /etc /var/lib/gatehouse /var/lib/gatehouse-mail /var/log /run 2>/dev/null', {
      stdin: password,
    })
    expect(known.stdout).toBe('')
    expect((await host.run(`cut -f 3 /etc/gatehouse/sites/${one.name}/mail/addresses`)).stdout).toMatch(/^\{SHA512-CRYPT\}\$6\$/m)
  })

  test('passwords stop working with SSL, and work again with it; a password that is changed replaces the former one', async () => {
    const { host, machine } = admitted
    const tries = async (secret: string) => {
      await using smtp = await openSmtp(host.ip, 587)
      await smtp.secure('one.test', null)
      return (await smtp.say(login('sales@one.test', secret))).slice(0, 3)
    }
    expect(await endOf(machine, switchingSsl(one, false, from()))).toMatchObject(done)
    expect(await tries(password)).toBe('535')
    expect(await endOf(machine, switchingSsl(one, true, from()))).toMatchObject(done)
    expect(await tries(password)).toBe('235')
    await save('sales', 'reader@far.test', 'a new password')
    expect(await tries(password)).toBe('535')
    expect(await tries('a new password')).toBe('235')
    // Without one, the present one stays.
    await save('sales', 'reader@far.test')
    expect(await tries('a new password')).toBe('235')
    await machine.sites.deleteAddress(one, 'sales')
    expect(await tries('a new password')).toBe('535')
  })

  test('mail never goes round in circles: over one address, two, two sites, an alias, or the server itself', async () => {
    const { machine } = admitted
    await save('a', 'b@two.test')
    for (const [user, destination, site] of [
      ['info', 'info@one.test', one],
      ['info', 'Info+x@one.test', one],
      ['b', 'a@one.test', two],
      ['info', 'info@www.one.test', one],
      ['info', `root@${hostname}`, one],
    ] as const)
      await expect(save(user, destination, '', site)).rejects.toThrow('unsuitable')
    await machine.sites.deleteAddress(one, 'a')
    await expect(machine.sites.deleteAddress(one, 'a')).rejects.toThrow('changed_meanwhile')
    // The server checks what the service checks before.
    for (const destination of ['|cat@far.test', 'a@far.test\nx', '$(touch /tmp/canary)@far.test'])
      await expect(save('info', destination)).rejects.toThrow('unsuitable')
    expect((await admitted.host.run('ls /tmp/canary')).code).not.toBe(0)
    expect((await machine.sites.mail(one)).addresses).toEqual([{ user: 'info', destination: 'reader@far.test' }])
  })

  test('the domain of a site may be the hostname: its addresses get mail, and mail of the server to root still does', async () => {
    const { host, machine } = admitted
    const same = siteNamed('samemail5e6f', hostname)
    // Debian's own page answers for the hostname.
    await host.run('a2dissite -q 000-default && systemctl reload apache2')
    expect(await endOf(machine, creation(same))).toMatchObject(done)
    await save('desk', 'reader@far.test', '', same)
    expect(await turn(same, true)).toMatchObject(done)
    await using smtp = await openSmtp(host.ip, 25)
    expect((await sendMail(smtp, 'friend@elsewhere.test', [`desk@${hostname}`], 'to the hostname')).at(-1)).toMatch(/^250/)
    await received('to the hostname')
    expect(await offer(`root@${hostname}`)).toMatch(/^5/)
    await host.run('printf "Subject: from cron\\n\\nx\\n" | sendmail root')
    await received('from cron', host, 'root')
    expect((await sendMail(smtp, 'friend@elsewhere.test', ['postmaster@one.test'], 'to the postmaster')).at(-1)).toMatch(/^250/)
    await received('to the postmaster', host, 'root')
    expect(await endOf(machine, deletion(same, false))).toMatchObject(done)
    expect(await offer(`desk@${hostname}`)).toMatch(/^5/)
    expect(await offer('info@one.test')).toMatch(/^250/)
  })

  test('the hostname may change while email is on, to a complete one', async () => {
    const { host, machine } = admitted
    await expect(machine.setHostname('short')).rejects.toThrow('unsuitable')
    await machine.setHostname('other.lab.test')
    await using smtp = await openSmtp(host.ip, 25)
    expect((await sendMail(smtp, 'friend@elsewhere.test', ['info@one.test'], 'after a change')).at(-1)).toMatch(/^250/)
    expect(await received('after a change')).toMatch(/^Return-Path: <SRS0=.*@other\.lab\.test>$/im)
    await machine.setHostname(hostname)
  })

  test('a reinstall, a boot and a change of names leave email on', async () => {
    const { host, machine } = admitted
    const before = await settings()
    expect((await install(admitted)).at(-1)).toMatchObject(done)
    expect(await settings()).toBe(before)
    expect(await endOf(machine, naming({ ...one, aliases: [] }, from()))).toMatchObject(done)
    await host.reboot()
    await expect.poll(() => offer('info@one.test').catch(() => ''), { timeout: 60_000 }).toMatch(/^250/)
    await using smtp = await openSmtp(host.ip, 25)
    expect((await sendMail(smtp, 'friend@elsewhere.test', ['info@one.test'], 'after a boot')).at(-1)).toMatch(/^250/)
    await received('after a boot')
  })

  test.each(['Addresses', 'Mail server', 'Firewall'])('a switch that is killed at “%s” leaves email as it was', async (at) => {
    const { host, machine } = admitted
    const before = await settings()
    let killed = false
    const lines = await runJob(machine, switchingEmail(two, true), async ({ step }) => {
      if (step !== at || killed) return
      killed = true
      await host.run('systemctl kill --kill-whom=all -s KILL gatehouse-site-job-*.service')
    })
    // It may have been faster.
    if (lines.at(-1)?.status === 'done') expect(await turn(two, false)).toMatchObject(done)
    expect(await machine.sites.mail(two)).toMatchObject({ on: false })
    expect(await settings()).toBe(before)
    expect(await offer('info@one.test')).toMatch(/^250/)
  })

  test('off for the last site closes Postfix and the ports as they were before, and keeps the addresses; deleting a site does the same', async () => {
    const { host, machine } = admitted
    expect(await turn(one, false)).toMatchObject({ status: 'done', message: 'Email of one.test is off. Its addresses are kept.' })
    for (const port of [25, 465, 587]) expect([port, await isOpen(host.ip, port)]).toEqual([port, false])
    const closed = await settings()
    expect(closed).toContain('inet_interfaces = loopback-only')
    // The senders and limits of programs stay: they are of all sites.
    expect(closed.replace(/^(local_login_sender_maps = |authorized_submit_users = |gatehouse-mail-limits\.service ).*$/gm, '')).not.toMatch(
      /gatehouse|texthash|(^|\D)(25|465|587)\/tcp/,
    )
    const { key, addresses } = await machine.sites.mail(one)
    expect(addresses).toEqual([{ user: 'info', destination: 'reader@far.test' }])
    expect(await turn(one, true)).toMatchObject(done)
    // The key is in DNS by now.
    expect(await machine.sites.mail(one)).toEqual({ on: true, key, addresses })
    expect(await offer('info@one.test')).toMatch(/^250/)
    expect(await endOf(machine, deletion(one, false))).toMatchObject(done)
    expect(await isOpen(host.ip, 25)).toBe(false)
    expect(await settings()).toBe(closed)
    expect((await host.run(`ls -d /etc/gatehouse/sites/${one.name} /etc/gatehouse/mail/*/${one.name}.pem`)).stdout).toBe('')
  })

  test('security 57: email passes the same conformance tests as on the sandbox', async () => {
    const { host } = admitted
    const options = { authority: from(), dnsServers: [authority.dnsAddress], siteChecksMs: 100, summarySharedMs: 0 }
    await using service = await openHttpService(admitted, options)
    const leadHere = async (names: readonly string[]) => {
      for (const name of names) await authority.addAddresses(name, [host.ip])
    }
    await proveEmail({ ...service, leadHere, anyway: true }, { ...service, key: await service.createKey('stranger') })
  })
})
