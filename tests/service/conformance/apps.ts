/** What every provider must do for the apps of sites over HTTP. */
import { expect } from 'vitest'
import { get, post, type Target } from '../support/caller'
import { createSite, deleteSite, streamInstall } from '../support/slow-work'
import { itemOf, newSite, type SitesTarget, siteOf } from './sites'

const domain = 'apps.example.org'

type Credentials = { url: string; user: string; password: string }

export const appOf = async (target: Target, id: string) => (await itemOf(target, `/sites/${id}/apps`)).app

/** stranger: the same service with the key of another account. Leaves the server without the site that it creates. Returns the administrator. */
export async function proveApps(
  target: SitesTarget,
  stranger: Target,
  whileInstalled: (id: string, credentials: Credentials) => Promise<void> = async () => {},
): Promise<void> {
  const { body } = await createSite(target, newSite(target, domain))
  const id = String(body.id)
  expect(await itemOf(target, `/sites/${id}/apps`)).toMatchObject({
    domain,
    app: { name: '', version: '' },
    catalogue: expect.arrayContaining([
      { app: 'wordpress', title: 'WordPress', version: expect.stringMatching(/^\d+\.\d+(\.\d+)?$/) },
      { app: 'dokuwiki', title: 'DokuWiki', version: expect.stringMatching(/^\d{4}-\d\d-\d\d[a-z]?$/) },
    ]),
  })

  expect(await streamInstall(target, id, 'wordpress', { lastEventId: 0 })).toMatchObject({ status: 404, body: { code: 'no_install' } })
  expect((await post(target, `/sites/${id}/install/wordpress`, {})).status).toBe(405)
  for (const [who, path] of [
    [target, `/sites/${id}/install/nothing`],
    [target, `/sites/${id}/install/..%2fwordpress`],
    [target, '/sites/no-such-site/install/wordpress'],
    [target, '/sites/no-such-site/apps'],
    [stranger, `/sites/${id}/install/wordpress`],
    [stranger, `/sites/${id}/apps`],
  ] as const)
    expect({ path, ...(await get(who, path)) }).toMatchObject({ path, status: 404 })

  // By a client that is cut off and comes back.
  const begun = await streamInstall(target, id, 'wordpress', { until: 1 })
  const whole = await streamInstall(target, id, 'wordpress', { lastEventId: (begun.events[0]?.id ?? 0) - 1 })
  const last = whole.events.at(-1)
  expect(last).toMatchObject({
    status: 'done',
    progress: 100,
    result: {
      success: true,
      credentials: { url: `http://${domain}/wp-login.php`, user: 'admin', password: expect.stringMatching(/^[\w-]{24,}$/) },
    },
  })
  expect([...new Set(whole.events.map(({ step }) => step))]).toEqual(['Check the server', 'Download', 'Files', 'Install', 'Web server'])
  const credentials = (last?.result as { credentials: Credentials } | undefined)?.credentials
  if (!credentials) throw new Error('the answer has no credentials')
  expect(JSON.stringify(whole.events.map(({ result: _, ...line }) => line))).not.toContain(credentials.password)
  // Whoever was cut off just before the end still gets it.
  const again = await streamInstall(target, id, 'wordpress', { lastEventId: (last?.id ?? 0) - 1 })
  expect(again.events.at(-1)?.result).toEqual({ success: true, credentials })
  expect(await appOf(target, id)).toMatchObject({ name: 'wordpress', version: expect.stringMatching(/^\d+\.\d+/) })
  const listed = async () => {
    const { app, app_version: version } = await siteOf(target, domain)
    return { app, version }
  }
  const wanted = { app: 'WordPress', version: expect.stringMatching(/^\d+\.\d+/) }
  await expect.poll(listed, { timeout: 60_000, interval: 300 }).toEqual(wanted)
  await whileInstalled(id, credentials)

  // A site that is in use is never written over.
  const error = expect.stringMatching(/^The site has files already\..*nothing was changed\.$/)
  for (const app of ['dokuwiki', 'wordpress'])
    expect(await get(target, `/sites/${id}/install/${app}`)).toMatchObject({ status: 409, body: { code: 'unsuitable', error } })
  expect(await appOf(target, id)).toMatchObject({ name: 'wordpress' })
  expect(await deleteSite(target, id, '?without_backup=1')).toMatchObject({ status: 200 })
}
