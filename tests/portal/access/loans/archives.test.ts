/** What was prepared for download through a lent connection ends with the loan, the access and the connection, wherever the service put it. */
import { expect, test } from 'vitest'
import { contract } from '@/lib/contract'
import { db } from '@/lib/portal/base/db'
import type { Person } from '@/lib/portal/identity/actor'
import { startJob } from '@/lib/portal/jobs/start'
import { findJob } from '@/lib/portal/jobs/view'
import { fetchPrepared } from '@/lib/portal/subjects/archives/fetch'
import { viewArchive } from '@/lib/portal/subjects/archives/view'
import { freezeConnection } from '@/lib/portal/subjects/connections/freeze'
import { endLoan } from '@/lib/portal/subjects/lending/change'
import { inputOf, signedInLately } from '@/tests/support/own-input'
import { give } from '../grants/scene'
import { lend, openLending } from './scene'

const bytes = Buffer.from('An archive with a secret in it. '.repeat(20_000))
const patience = { timeout: 20_000 }
const fieldsOf = { subjects: ['sites'], effects: ['read', 'export'] } as const

/** A guest who downloads one site with a lent connection, whose service puts archives at `elsewhere`. */
async function openBorrowed(elsewhere?: string) {
  const scene = await openLending()
  const [guest, siteId] = [await scene.team.join('guest'), scene.idOf('shop.heron.example')]
  const site = scene.upstream.model.sites.get('71')
  if (site) site.archive = { bytes, ...(elsewhere !== undefined && { elsewhere }) }
  const work = { subjects: [...fieldsOf.subjects], effects: [...fieldsOf.effects] }
  const grantId = await give(guest, { kind: 'site', id: siteId }, work)
  const loanId = await lend(scene, { to: { userId: guest.user.id }, scope: { kind: 'site', id: siteId }, ...work })
  const prepare = async (by: Person) => {
    const started = await startJob(by, contract.sites.download, { siteId }, {}, { stepUp: signedInLately })
    if (!started.ok) throw new Error(started.problem.sentence)
    await expect.poll(async () => (await findJob(by, started.data.jobId))?.endedAt ?? null, patience).not.toBeNull()
    return started.data.jobId
  }
  return { scene, guest, siteId, grantId, loanId, prepare }
}

const beginning = { range: 'bytes=0-9' }

test('security 16: an archive that a borrower prepared answers nothing from the moment that the loan or the access ends, or the connection is frozen', async () => {
  const { scene, guest, grantId, loanId, prepare } = await openBorrowed()
  await using _ = scene
  const jobId = await prepare(guest)
  const works = async () => [(await viewArchive(guest, jobId)).state, (await fetchPrepared(guest, jobId, beginning)).ok]
  expect(await works()).toEqual(['ready', true])
  await db().grant.update({ where: { id: grantId }, data: { until: new Date() } })
  expect(await works()).toEqual(['gone', false])
  await db().grant.update({ where: { id: grantId }, data: { until: null } })
  expect(await works()).toEqual(['ready', true])
  expect(await freezeConnection(inputOf(scene.lender, { connectionId: scene.connectionId }))).toMatchObject({ ok: true })
  expect(await works()).toEqual(['gone', false])
  await db().connection.update({ where: { id: scene.connectionId }, data: { frozenAt: null, frozenById: null } })
  expect(await works()).toEqual(['ready', true])
  expect(await endLoan(inputOf(scene.lender, { loanId }))).toMatchObject({ ok: true })
  expect(await works()).toEqual(['gone', false])
})

test('security 16: a borrower gets no link that would outlive the loan; its owner, who could make another one, does', async () => {
  const elsewhere = 'https://10.0.0.8/signed.tar.gz?signature=abc'
  const { scene, guest, prepare } = await openBorrowed(elsewhere)
  await using _ = scene
  const [borrowed, own] = [await prepare(guest), await prepare(scene.lender)]
  const shown = await viewArchive(guest, borrowed)
  expect(shown).toEqual({ state: 'withheld' })
  expect(await fetchPrepared(guest, borrowed, beginning)).toMatchObject({ ok: false, problem: { code: 'address_refused' } })
  expect(await viewArchive(scene.lender, own)).toMatchObject({ state: 'ready', link: elsewhere, elsewhere: true })
})

test('security 30: through a member’s own connection no archive is fetched from inside a private network', async () => {
  const { scene, guest, prepare } = await openBorrowed('https://localhost:1/x.tar.gz')
  await using _ = scene
  const jobId = await prepare(guest)
  expect((await viewArchive(guest, jobId)).state).toBe('withheld')
  expect(await fetchPrepared(guest, jobId, beginning)).toMatchObject({ ok: false, problem: { code: 'address_refused' } })
})
