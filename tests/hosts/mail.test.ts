/** The mail queue of real hosts. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deleteMessages, listMessages, type MailTarget, proveMail } from '../service/conformance/mail'
import { register } from '../service/conformance/servers'
import { get } from '../service/support/caller'
import { openTestService, type TestService } from '../service/support/service'
import { openChance } from '../support/seeds'
import { type Host, startHost } from './lab/lab'
import { someDebians } from './releases'

/** Postfix as the install sets it up, without anywhere to send mail. */
const installPostfix = `export DEBIAN_FRONTEND=noninteractive
  apt-get update -qq && apt-get install -y -qq --no-install-recommends postfix && postconf -e defer_transports=smtp && systemctl restart postfix`

/** sendmail SENDER RECIPIENT...: one message each. */
const send = (host: Host, sender: string, ...recipients: string[]) =>
  host.run(`sendmail -f '${sender}' -- ${recipients.join(' ')}`, { stdin: 'Subject: stuck\n\nx\n' })

const queueIds = async (host: Host): Promise<string[]> =>
  (await host.run(`postqueue -j | sed -E 's/.*"queue_id": "([^"]*)".*/\\1/' | sort`)).stdout.split('\n').filter(Boolean)

describe.each(someDebians(openChance()))('$debian', ({ release }) => {
  let host: Host
  let service: TestService
  let target: MailTarget
  beforeAll(async () => {
    host = await startHost({ login: { kind: 'root-key' }, release })
    service = await openTestService()
    const { id } = await register(service, { provider: 'ssh', host: host.ip, port: String(host.port), ...host.login }, 'mail')
    target = { ...service, id }
  })
  afterAll(async () => {
    await service[Symbol.asyncDispose]()
    await host.stop()
  })

  test('security 57: the mail queue on a host passes the same conformance tests as the sandbox, and no id reaches a shell or all messages', async () => {
    const early = { status: 409, body: { code: 'not_installed' } }
    expect(await get(target, `/servers/${target.id}/messages`)).toMatchObject(early)
    expect(await deleteMessages(target, ['ABCDEF12.1'])).toMatchObject(early)
    expect(await host.run(installPostfix)).toMatchObject({ code: 0 })
    expect(await listMessages(target)).toEqual([])
    await send(host, 'cron@example.net', 'a@example.org')
    await send(host, 'cron@example.net', 'a@example.org', `'"odd name"@example.org'`, 'c@example.com')
    await send(host, '', 'a@example.org')
    await send(host, 'zażółć@example.net', `"o'brien@example.org"`)
    for (const sender of ['$(touch /tmp/mail-marker)@example.net', '`touch /tmp/mail-marker`@example.net'])
      await send(host, sender, 'a@example.org')
    await expect.poll(() => queueIds(host)).toHaveLength(6)
    expect((await listMessages(target)).map(({ sender }) => sender)).toContain('zażółć@example.net')
    await proveMail(target)
    expect(await host.run('ls /tmp/mail-marker')).toMatchObject({ code: 2 })
  })

  test('exactly the deleted messages are gone from Postfix, also on hold and while Postfix is stopped', async () => {
    await host.run(`for n in $(seq 30); do printf 'Subject: x\\n\\nx\\n' | sendmail -f spam@example.net victim$n@example.org; done`)
    await expect.poll(async () => (await queueIds(host)).length).toBeGreaterThanOrEqual(30)
    const before = await queueIds(host)
    const messages = (await listMessages(target)).filter(({ sender }) => sender === 'spam@example.net')
    const [held, ...others] = messages
    await host.run(`postsuper -h ${held?.id.split('.')[0]}; postfix stop`)
    const chosen = [held, ...others.slice(0, 19)].map((message) => message?.id ?? '')
    expect(await deleteMessages(target, chosen)).toMatchObject({ status: 200 })
    const gone = new Set(chosen.map((id) => id.split('.')[0]))
    expect(await queueIds(host)).toEqual(before.filter((id) => !gone.has(id)))
    expect((await listMessages(target)).length).toBe(before.length - 20)
  })
})
