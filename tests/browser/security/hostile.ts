/** Texts of a hostile service in a real browser: they are shown as text and nothing else. */
import { expect, test } from 'vitest'
import { db } from '@/lib/portal/base/db'
import { openChromium } from '../../support/chromium'
import type { UpstreamSite } from '../../support/upstream/model'
import type { Estate } from './estate'

const script = 'window.harmed=1'

const texts = [
  `<img src=x onerror="${script}">`,
  `"><script>${script}</script>`,
  `</script><script>${script}</script>`,
  `</title><svg onload=${script}>`,
  `javascript:${script}`,
  `'-${script}-'`,
  `\${${script}}{{${script}}}`,
  `\u001b]8;;javascript:${script}\u0007link\u001b]8;;\u0007\u001b[2J`,
  `\u202egnp.exe\u2028\u2029\u0000`,
]

/** A server whose lists contain all of the texts. */
const full = 'full of hostile texts'

/** Whatever a service tells about a site, as that text; what it lists, as all of them. */
const hostileSite = (text: string): Partial<UpstreamSite> => ({
  domain: text,
  certificate: { covered: texts, issued: text, expires: text },
  blocked: { [text]: text },
  tables: texts,
  aliases: texts,
  settings: {
    php: text,
    php_versions: texts,
    upload_limit: text,
    memory_limit: text,
    folder: text,
    workers: text,
    waiting: text,
    www_redirect: text,
    hsts: text,
    mail_per_hour: text,
    mail_held_until: text,
    php_extensions: texts,
    problem: text,
  },
  app: { name: text, version: text, update: text },
  catalogue: texts.map((each) => ({ app: each, title: each, version: each })),
  staging: {
    domain: text,
    exists: true,
    user: text,
    pulled: text,
    files_bytes: 1,
    mixed: true,
    tables: texts.map((name) => ({ name, bytes: 1, rows: 1, pulled: true, changed: true, partners: texts, private: name })),
  },
  logs: { access: texts.join('\n'), error: text, php: text },
  keys: texts.map((each) => ({ fingerprint: each, type: each, comment: each, key: each })),
  emails: texts.map((each) => ({ user: each, destination: each })),
  mail: {
    records: texts.map((each) => ({ type: 'MX', name: each, expected: each, found: each, state: 'different', reason: each })),
    elsewhere: text,
  },
  backups: texts.map((each) => ({ name: each, size: each, date: each, reason: each })),
  listed: { usage: text, ip: text, mx: text, state: text, expires: text, staging: text },
  summary: { disk_usage: text, dns: { A: text, MX: text }, server: { name: text, ip: text, dns: text } },
})

/** Servers and sites whose every field is hostile, and a server with a name of one megabyte. */
function plant({ teams }: Estate): void {
  const { upstream } = teams.ours
  for (const text of texts) {
    const id = upstream.addServer({ name: text, hostname: text })
    const server = upstream.model.servers.get(id)
    if (server) Object.assign(server, { dns: text, provider: text, ip: text, kernel: text, uptime: text, timezone: text, state: text })
  }
  upstream.addServer({ name: 'm'.repeat(1_000_000) })
  const messages = texts.map((text, at) => ({ id: `${at} ${text}`, size: text, date: text, sender: text, recipient: text }))
  upstream.addServer({ name: full, messages, backups: texts.map((text) => ({ name: text, size: text })) })
  // Their lists have all of the texts.
  for (const text of texts.slice(0, 5)) upstream.addSite(hostileSite(text))
}

const siteTabs = ['', '/ssl', '/database', '/app', '/aliases', '/email', '/backups', '/logs', '/settings']

export function hostile(estate: Estate): void {
  test('security 26: hostile texts in every field, line and failure are shown as text, and the policy is never violated', async () => {
    const { cookie } = await estate.join('ours', 'owner')
    plant(estate)
    const lines = texts.map((message, at) => ({ jobId: estate.jobId, seq: 1_000 + at, at: new Date(), step: message, status: '', message }))
    await db().jobEvent.createMany({ data: lines })
    await db().job.update({
      where: { id: estate.jobId },
      data: {
        targetName: texts[0] ?? '',
        step: texts[1] ?? '',
        problemCode: 'upstream_failed',
        problemSentence: texts[2] ?? '',
        state: 'failed',
      },
    })
    await estate.caller.call('/api/servers', { cookie })
    const planted = await db().server.findMany({ where: { teamId: estate.teams.ours.id, name: { in: texts } } })
    expect(planted.length).toBeGreaterThan(4)
    await estate.caller.call('/api/sites', { cookie })
    const sites = await db().site.findMany({ where: { teamId: estate.teams.ours.id, domain: { in: texts } } })
    expect(sites.length).toBe(5)
    await using visitor = await openChromium()
    const { page, context } = visitor
    const [name = '', value = ''] = cookie.split(/=(.*)/)
    await context.addCookies([{ name, value, url: estate.caller.origin }])
    const foreign: string[] = []
    context.on('request', (sent) => {
      const { protocol, origin } = new URL(sent.url())
      if (protocol.startsWith('http') && origin !== estate.caller.origin) foreign.push(sent.url())
    })
    const seen: string[] = []
    const own = [`/servers/${estate.serverId}`, `/servers/${estate.serverId}/install`, '/jobs', `/jobs/${estate.jobId}`]
    const { id: fullId } = await db().server.findFirstOrThrow({ where: { teamId: estate.teams.ours.id, name: full } })
    own.push(...['mail', 'mail?by=sender', 'backups', 'sites'].map((page) => `/servers/${fullId}/${page}`), '/sites')
    own.push(...sites.flatMap(({ id }) => siteTabs.map((tab) => `/sites/${id}${tab}`)))
    own.push(...texts.map((text) => `/servers/${fullId}/logs?${new URLSearchParams({ log: text, line: text })}`))
    for (const path of ['/servers', ...own, ...planted.flatMap(({ id }) => [`/servers/${id}`, `/servers/${id}/install`])]) {
      await page.goto(estate.caller.origin + path)
      await page.locator('main').waitFor()
      await page.waitForTimeout(300)
      expect([path, await page.evaluate('window.harmed ?? null')]).toEqual([path, null])
      expect([path, await page.locator('a[href^="javascript:" i], img[src="x"], svg[onload]').count()]).toEqual([path, 0])
      seen.push(await page.locator('body').innerText())
    }
    for (const text of texts.slice(0, 3)) expect(seen.some((shown) => shown.includes(text))).toBe(true)
    expect(visitor.complaints).toEqual([])
    expect(foreign).toEqual([])
    await db().server.updateMany({ where: { name: { in: [...texts, full] } }, data: { goneAt: new Date() } })
  })
}
