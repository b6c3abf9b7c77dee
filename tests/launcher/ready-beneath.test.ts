/** `npm run ready` with changed sources while Gatehouse runs: nothing changes for users until the restart. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makePlace, startGatehouse } from '../support/gatehouse-process'
import { copyProject } from '../support/project-copy'

const pages = ['sign-in', 'recover', 'setup']

/** Changes the titles of the pages, all of the browsers' scripts, and both halves' programs. */
function changeSources(dir: string): void {
  for (const name of pages) {
    const page = join(dir, `app/(public)/${name}/page.tsx`)
    writeFileSync(page, readFileSync(page, 'utf8').replace("title: '", "title: 'Newer "))
  }
  for (const name of readdirSync(join(dir, 'app'), { recursive: true, encoding: 'utf8' })) {
    const file = join(dir, 'app', name)
    if (!name.endsWith('.tsx') || !readFileSync(file, 'utf8').startsWith("'use client'")) continue
    appendFileSync(file, '\nObject.assign(globalThis, { newer: true })\n')
  }
  appendFileSync(join(dir, 'lib/log.ts'), '\n// Newer.\n')
}

/** Requests a page and every script it names; returns the page's title. */
async function visit(origin: string, path: string): Promise<string> {
  const page = await fetch(`${origin}/${path}`)
  const text = await page.text()
  const scripts = [...text.matchAll(/src="(\/_next\/static\/[^"]+\.js[^"]*)"/g)].map(([, path]) => path)
  expect(scripts.length).toBeGreaterThan(3)
  const statuses = await Promise.all(scripts.map(async (path) => (await fetch(origin + path)).status))
  expect([page.status, ...statuses]).toEqual([200, ...scripts.map(() => 200)])
  return /<title>([^<]*)/.exec(text)?.[1] ?? ''
}

test('a new build while Gatehouse runs changes nothing until the restart, also for pages that nobody had opened', async () => {
  using project = copyProject()
  using place = await makePlace()
  {
    await using running = await startGatehouse(place, project.dir)
    changeSources(project.dir)
    const ready = spawn(process.execPath, ['lib/launcher/ready.mjs'], { cwd: project.dir, stdio: ['ignore', 'pipe', 'inherit'] })
    let said = ''
    ready.stdout.on('data', (chunk) => (said += chunk))
    const earlier = await visit(running.url, 'sign-in')
    await once(ready, 'close')
    expect([ready.exitCode, said]).toEqual([0, expect.stringMatching(/Building the portal …\n(.*\n)*Built the portal in \d+ s\./)])
    for (const path of pages) expect(await visit(running.url, path)).not.toContain('Newer')
    expect(await visit(running.url, 'sign-in')).toBe(earlier)
    expect((await fetch(`${running.url}/api/health`)).status).toBe(200)
    expect(await running.stop()).toBe(0)
  }
  await using restarted = await startGatehouse(place, project.dir)
  for (const path of pages) expect(await visit(restarted.url, path)).toContain('Newer')
})
