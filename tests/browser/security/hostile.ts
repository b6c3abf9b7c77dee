/** Texts of a hostile service in a real browser: they are shown as text and nothing else. */
import { expect, test } from 'vitest'
import { db } from '@/lib/portal/base/db'
import { openChromium } from '../../support/chromium'
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

/** Servers whose every field is hostile, one with a name of one megabyte, and hostile backups of every site. */
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
  for (const site of upstream.model.sites.values())
    site.backups = texts.map((text) => ({ name: text, size: text, date: text, reason: text }))
}

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
    own.push(...['mail', 'mail?by=sender', 'backups'].map((page) => `/servers/${fullId}/${page}`), `/sites/${estate.siteId}/backups`)
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
