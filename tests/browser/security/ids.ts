/** Ids of another team. */
import { expect, test } from 'vitest'
import { operations } from '@/lib/contract'
import { db } from '@/lib/portal/base/db'
import type { AuditObjectKind } from '@/prisma/generated/portal/client'
import { callAction, Form } from './action-call'
import type { Answer } from './caller'
import type { Estate } from './estate'
import { expectNoEffect } from './traces'

/** As long as one of our ids, but unknown. */
export const absentId = 'Absent-'.padEnd(22, '0')

/** Without the parts that differ in every answer: the policy's nonce and the time. */
const settle = ({ status, text }: Answer, id: string) => ({
  status,
  text: text
    .replaceAll(id, 'ID')
    .replace(/(nonce(=|\\?":\s?)\\?")[^"\\]*/g, '$1')
    .replace(/"at":\d+/g, '"at":0'),
})

// The format in which Next passes a page's data to its scripts: any number of texts, split anywhere.
const handedOn = /<script[^>]*>self\.__next_f\.push\(\[1,("(?:[^"\\]|\\.)*")\]\)<\/script>/g

/** The content of a page, rendered or as data: its pieces arrive in any order and are numbered differently each time. */
function settlePage(answer: Answer, id: string): { status: number; pieces: string[] } {
  const { status, text } = settle(answer, id)
  const data = [...text.matchAll(handedOn)].map(([, literal]) => JSON.parse(literal ?? '""')).join('')
  const said = [...data.matchAll(/"((?:[^"\\]|\\.)*)"/g), ...text.replace(handedOn, '').matchAll(/>([^<]+)</g)].map(
    ([, piece]) => piece ?? '',
  )
  // An empty page would be equal to any other.
  expect(said.length).toBeGreaterThan(100)
  return { status, pieces: [...new Set(said)].filter((piece) => !/^\$|^\/_next\/static\//.test(piece)).sort() }
}

const paths = ({ routes, pathOf }: Estate, id: string): string[] => [
  ...routes
    .filter((route) => /\[(serverId|siteId|jobId|batchId)\]/.test(route))
    .map((route) => pathOf(route, { serverId: id, siteId: id, jobId: id, batchId: id })),
  ...operations.map((operation) => `/api/operations/${operation.id}?${operation.path.includes('{site_id}') ? 'site' : 'server'}=${id}`),
]

const idActions = [
  'installServer',
  'updateServer',
  'deleteServer',
  'createServer',
  'askHostKey',
  'createSite',
  'deleteSite',
  'setDatabasePassword',
  'deleteAlias',
  'switchSsl',
  'renewCertificate',
  'switchEmail',
  'saveAddress',
  'deleteAddress',
  'installApp',
  'pullSite',
  'pushSite',
  'createBackup',
  'restoreBackup',
  'prepareArchive',
  'checkConnection',
  'renameConnection',
  'replaceKey',
  'removeConnection',
]

export function foreignIds(estate: Estate): void {
  const { caller, serverId, siteId, jobId, batchId, teams } = estate

  test.each<[AuditObjectKind, string]>([
    ['server', serverId],
    ['site', siteId],
    ['job', jobId],
    ['batch', batchId],
    ['connection', teams.ours.connectionId],
  ])('security 3: another team’s %s id is answered like an unknown one, everywhere, and no service is called', async (kind, id) => {
    const { cookie, userId } = await estate.join('theirs', 'owner')
    await expectNoEffect(estate, async () => {
      for (const [index, path] of paths(estate, id).entries()) {
        const [foreign, absent] = [await caller.call(path, { cookie }), await caller.call(paths(estate, absentId)[index] ?? '', { cookie })]
        const isData = path.startsWith('/api/')
        const said = isData ? settle : settlePage
        expect({ path, ...said(foreign, id) }).toEqual({ path, ...said(absent, absentId) })
        if (isData) expect([path, foreign.status]).toEqual([path, 404])
        for (const mark of estate.marks) expect(foreign.text).not.toContain(mark)
      }
      for (const name of idActions) {
        const send = (given: string) => {
          const target = { serverId: given, siteId: given, connectionId: given }
          const named = { confirmName: estate.serverName, name: 'planted', alias: 'planted.example.org' }
          const fields = { ...target, ...named, host: '192.0.2.10', dns: '', status: '1', app: 'wordpress', files: '1' }
          return callAction(caller, estate.action(name), [null, new Form(fields)], { cookie })
        }
        const [foreign, absent] = [await send(id), await send(absentId)]
        expect(foreign.value).toMatchObject({ ok: false, problem: { code: 'not_found' } })
        expect(settle(foreign, id)).toEqual(settle(absent, absentId))
      }
    })
    const denied = await db().auditRow.findMany({ where: { actorId: userId, outcome: 'denied', objectKind: kind, objectId: id } })
    expect(denied.length).toBeGreaterThan(0)
    // Denied reads are logged for the owner of the portal, denied changes for the team: each once a minute, and a minute may
    // have ended.
    const told = denied.filter(({ teamId }) => teamId === null).length
    for (const count of [told, denied.length - told]) expect([0, 1, 2]).toContain(count)
  })
}
