/** `npm run dev`: runs the current sources on the data of `npm run up`; changed files are used without a restart. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makePlace, startGatehouse } from '../support/gatehouse-process'
import { processesOf } from '../support/place-processes'
import { copyProject } from '../support/project-copy'

const titleOf = async (url: string): Promise<string> => /<title>([^<]*)/.exec(await (await fetch(url)).text())?.[1] ?? ''

/** Next compiles a page when it is first requested. */
const patient = { timeout: 120_000, interval: 500 }

function change(dir: string, path: string, from: string, to: string): void {
  const file = join(dir, path)
  const text = readFileSync(file, 'utf8')
  expect(text).toContain(from)
  writeFileSync(file, text.replace(from, to))
}

test('changes to a page and to a file of the service take effect without a restart, and no process is left over', async () => {
  using project = copyProject(['.next-builds', '.next'])
  using place = await makePlace()
  {
    await using gatehouse = await startGatehouse(place, project.dir, 'dev')
    expect(gatehouse.setupLink).toContain('/setup')
    const [page, service] = [`${gatehouse.url}/sign-in`, `http://127.0.0.1:${place.servicePort}/docs`]
    const answer = await fetch(page)
    expect(answer.status).toBe(200)
    expect(await answer.text()).toContain('<title>Sign in')
    // The front answers here as after `npm run up`.
    expect(answer.headers.get('x-frame-options')).toBe('DENY')
    expect((await fetch(page, { method: 'PUT' })).status).toBe(405)

    change(project.dir, 'app/(public)/sign-in/page.tsx', "title: 'Sign in", "title: 'Newer sign in")
    await expect.poll(() => titleOf(page), patient).toMatch(/^Newer sign in/)
    change(project.dir, 'lib/service/api-page/page.ts', '<title>', '<title>Newer: ')
    await expect.poll(() => titleOf(service).catch(() => ''), patient).toMatch(/^Newer: /)
    expect(await titleOf(page)).toMatch(/^Newer sign in/)

    await gatehouse.stop('SIGKILL')
    await expect.poll(() => processesOf(place), patient).toEqual([])
  }
})
