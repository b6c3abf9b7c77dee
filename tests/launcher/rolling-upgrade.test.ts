/** Portals of two versions on one PostgreSQL, one replaced after the other: no form is refused, whichever portal it was opened on and whichever gets it. */
import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { buildFolder, keyOfIds } from '../../lib/launcher/build.mjs'
import { callAction, codeOf, Form } from '../browser/security/action-call'
import { readActions } from '../browser/security/build'
import { createCaller } from '../browser/security/caller'
import { startBalancer } from '../support/balancer'
import { openChromium } from '../support/chromium'
import { enterPassword } from '../support/first-steps'
import { makePlace } from '../support/gatehouse-process'
import { copyAsLater } from '../support/later-version'
import { npmRun } from '../support/npm-run'
import { copyKeys, startHalf, startService, untilReady } from '../support/portal-halves'
import { createVisitor } from '../support/portal-visitor'
import { addressText, openPostgresql, postgresqlMissing } from '../support/postgresql'

const actions = () => readActions(buildFolder())

test('the id of an action depends on its file, name and arguments alone, so every build has the same', () => {
  // Two digits say which arguments it takes.
  const found = [...actions()].map(([name, { id }]) => [name, id.slice(2)])
  expect(found.length).toBeGreaterThan(100)
  const derive = (name: string) =>
    createHash('sha1')
      .update(`${keyOfIds}${name.replace(' ', ':')}`)
      .digest('hex')
  expect(found).toEqual(found.map(([name = '']) => [name, derive(name)]))
})

test.skipIf(postgresqlMissing)('an older and a newer portal work side by side, and take the forms of each other', async () => {
  using later = copyAsLater()
  await using portalData = await openPostgresql('empty')
  await using serviceData = await openPostgresql('empty')
  await using balancer = await startBalancer()
  const shared = {
    DATABASE_URL: addressText(portalData.address),
    SERVICE_DATABASE_URL: addressText(serviceData.address),
    PUBLIC_URL: `http://localhost:${balancer.port}`,
  }
  using first = await makePlace(shared)
  using second = await makePlace({ ...shared, SERVICE_PORT: String(first.servicePort) })
  await using _service = await startService(first, second)
  const only = async (port: number) => {
    balancer.use([port])
    await untilReady(balancer, [port], portals)
  }
  const portals = [startHalf(first, 'portal')]
  try {
    await only(first.port)
    copyKeys(first, second)
    using caller = createCaller(balancer.port)
    const owner = createVisitor(caller)
    await owner.setUp(/http\S+/.exec(npmRun(first, 'owner', 'setup').said)?.[0] ?? '')
    await using visitor = await openChromium()
    const { page } = visitor
    await page.goto(`http://localhost:${balancer.port}/sign-in`)
    await enterPassword(page)

    let [isMigrating, added] = [true, 0]
    const adding = (async () => {
      for (; isMigrating; added += 1) {
        await owner.addSandbox(`meanwhile-${added}`)
        await delay(200)
      }
    })()
    portals.push(startHalf(second, 'portal', later.dir))
    balancer.use([first.port, second.port])
    await untilReady(balancer, [first.port, second.port], portals)
    isMigrating = false
    await adding
    expect(added).toBeGreaterThan(3)
    expect(await portalData.ask('SELECT count(*)::int AS n FROM "Later"')).toEqual([{ n: 0 }])

    const builds = [basename(buildFolder()), later.build]
    const rename = actions().get('app/(portal)/account/actions.ts rename')
    if (!rename) throw new Error('There is no such action.')
    for (const [index, { port }] of [first, second].entries()) {
      await only(port)
      // As a page of the other build sends it.
      const headers = { 'x-deployment-id': builds[1 - index] ?? '' }
      const answer = await callAction(caller, rename, [null, new Form({ name: `Mira ${index}` })], { cookie: owner.cookie(), headers })
      expect(codeOf(answer), answer.text).toBe('ok')
    }

    const name = page.getByLabel('Your name')
    for (const [opened, answers] of [
      [first, second],
      [second, first],
    ] as const) {
      await only(opened.port)
      await page.goto(`http://localhost:${balancer.port}/account`)
      await name.fill(`Mira by ${answers.port}`)
      await only(answers.port)
      const answered = page.waitForResponse((response) => response.request().method() === 'POST')
      await page.getByRole('button', { name: 'Save name' }).click()
      expect((await answered).status()).toBe(200)
      await expect.poll(async () => (await page.goto(page.url())) && name.inputValue()).toBe(`Mira by ${answers.port}`)
    }

    const ending = portals[0]
    ending?.child.kill('SIGTERM')
    expect(await ending?.ended).toBe(0)
    await using refused = startHalf(first, 'portal')
    expect(await refused.ended).toBe(78)
    expect(refused.output()).toContain('was created by a newer Gatehouse')
    portals[0] = startHalf(first, 'portal', later.dir)
    balancer.use([first.port, second.port])
    await untilReady(balancer, [first.port, second.port], portals)
    expect(await owner.signIn()).toBe(true)
    const list = JSON.parse((await caller.call('/api/servers', { cookie: owner.cookie() })).text)
    expect(list.servers.length).toBe(added)
  } finally {
    for (const { child } of portals) if (child.exitCode === null) child.kill('SIGTERM')
    await Promise.all(portals.map(({ ended }) => ended))
  }
})
