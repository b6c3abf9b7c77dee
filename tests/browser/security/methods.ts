/** Requests of every kind except a plain click: other methods, prefetches, framework headers, unusual spellings. */
import { expect, test } from 'vitest'
import type { Sent } from './caller'
import type { Estate } from './estate'
import { expectNoEffect, expectOnlyReads } from './traces'

const middleware = (name: string) => Array(6).fill(name).join(':')

const manners: Record<string, Sent> = {
  ...Object.fromEntries(['HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND'].map((method) => [method, { method }])),
  ...Object.fromEntries(
    Object.entries({
      rsc: { rsc: '1' },
      prefetch: { rsc: '1', 'next-router-prefetch': '1', 'next-url': '/servers' },
      'runtime prefetch': { rsc: '1', 'next-router-prefetch': '2' },
      'segment prefetch': { rsc: '1', 'next-router-prefetch': '1', 'next-router-segment-prefetch': '/_tree' },
      'segment prefetch of the page': { rsc: '1', 'next-router-prefetch': '1', 'next-router-segment-prefetch': '/_index' },
      'router state': {
        rsc: '1',
        'next-router-state-tree': encodeURIComponent('["",{"children":["(portal)",{"children":["servers",{}]}]},null,"refetch"]'),
      },
      purpose: { purpose: 'prefetch', 'sec-purpose': 'prefetch;prerender' },
      'subrequest proxy': { 'x-middleware-subrequest': middleware('proxy') },
      'subrequest middleware': { 'x-middleware-subrequest': middleware('middleware') },
      'subrequest src': { 'x-middleware-subrequest': middleware('src/middleware') },
      'middleware prefetch': { 'x-middleware-prefetch': '1', 'x-nextjs-data': '1' },
      rewritten: {
        'x-middleware-rewrite': '/servers',
        'x-invoke-path': '/servers',
        'x-matched-path': '/servers',
        'x-original-url': '/servers',
      },
      'override of the method': { 'x-http-method-override': 'DELETE', 'x-method-override': 'DELETE' },
      postponed: { 'next-resume': '1', 'x-now-route-matches': '1=servers' },
      'draft mode': { 'x-prerender-revalidate': 'x', 'x-prerender-bypass': 'x' },
      action: { 'next-action': 'x', accept: 'text/x-component' },
    }).map(([name, headers]) => [name, { headers }]),
  ),
}

/** Other ways to write a path. */
const spellings = (path: string, buildId: string): string[] => [
  `${path}.rsc`,
  `${path}/`,
  `${path}//`,
  `/${path}`,
  `${path}.json`,
  `${path}.segments/_tree.segment.rsc`,
  `/_next/data/${buildId}${path === '/' ? '/index' : path}.json`,
  `/en${path}`,
  `/.${path}`,
  `${path}/%2e`,
  `${path.slice(0, 1)}${encodeURIComponent(path.slice(1))}`,
  path.replace(/^\/(.)/, (_, first: string) => `/%${first.charCodeAt(0).toString(16)}`),
  path.toUpperCase(),
  `${path};x=1`,
  `${path}?_rsc=1a2b3&__nextDefaultLocale=en&nxtPserverId=1`,
  `${path}%00`,
  `${path}\\..\\servers`,
]

/** Paths that the framework itself might serve. */
const frameworkPaths = [
  '/_next/image?url=%2Ficon.svg&w=64&q=75',
  '/_next/image?url=http%3A%2F%2F169.254.169.254%2F&w=64&q=75',
  '/_next/static/../../server/server-reference-manifest.json',
  '/_next/static/%2e%2e/%2e%2e/server/server-reference-manifest.json',
  '/_next/server/server-reference-manifest.json',
  '/_next/webpack-hmr',
  '/__nextjs_original-stack-frames',
  '/__nextjs_source-map?filename=app/layout.tsx',
  '/.next-builds/server/server-reference-manifest.json',
  '/.env',
  '/data/portal/portal.db',
  '/keys/portal/kek.key',
  '/prisma/portal/schema.prisma',
]

type Request = [manner: string, path: string, sent: Sent]

const addressOf = ({ pathOf, serverId }: Estate, route: string): string =>
  `${pathOf(route)}${route === '/api/operations/[id]' ? `?server=${serverId}` : ''}`

const mannered = (estate: Estate): Request[] =>
  estate.routes.flatMap((route) => Object.entries(manners).map(([name, sent]): Request => [name, addressOf(estate, route), sent]))

async function spelled(estate: Estate): Promise<Request[]> {
  const page = await estate.caller.call('/sign-in', { headers: { rsc: '1' } })
  const buildId = /"b":"([^"]+)"/.exec(page.text)?.[1] ?? 'build'
  const paths = [...estate.routes.flatMap((route) => spellings(addressOf(estate, route), buildId)), ...frameworkPaths]
  return paths.map((path) => ['spelling', path, {}])
}

export function methods(estate: Estate): void {
  const { caller } = estate

  test('security 24: without a session no method, header or spelling returns data or has an effect', async () => {
    await expectNoEffect(estate, async () => {
      for (const [manner, path, sent] of [...mannered(estate), ...(await spelled(estate))]) {
        const { status, text, headers } = await caller.call(path, sent)
        for (const mark of [...estate.marks, 'encryptionKey', 'CREATE TABLE', 'model User'])
          expect([manner, path, status, text.includes(mark)]).toEqual([manner, path, status, false])
        expect([manner, path, headers['set-cookie']?.join().match(/session=[^;]/) ?? null]).toEqual([manner, path, null])
      }
    })
  })

  test('security 24: no method or header turns an owner’s read into a change', async () => {
    const { cookie } = await estate.join('ours', 'owner')
    await expectOnlyReads(estate, async () => {
      for (const [manner, path, sent] of mannered(estate)) {
        const { status } = await caller.call(path, { cookie, ...sent })
        const harmless = path.startsWith('/api/health') ? ['GET', 'HEAD', 'POST'] : ['GET', 'POST']
        if (path.startsWith('/api/') && !harmless.includes(sent.method ?? 'GET'))
          expect([manner, path, status >= 400]).toEqual([manner, path, true])
      }
    })
    expect((await caller.call('/api/servers', { cookie })).status).toBe(200)
  })

  test('security 24: the interface’s paths that change something by GET do not exist in the portal', async () => {
    const { cookie } = await estate.join('ours', 'owner')
    const rests = ['delete', 'install?start=1', 'install/wordpress', 'creates', 'backup/creates', 'download']
    await expectOnlyReads(estate, async () => {
      for (const rest of rests)
        for (const base of [`/servers/${estate.serverId}`, `/api/servers/${estate.serverId}`, `/sites/${estate.siteId}`])
          await caller.call(`${base}/${rest}`, { cookie })
    })
  })
}
