/** What changes with the end of a run: the run itself, and the server or site that it was about. */
import type { Prisma } from '@/prisma/generated/service/client'
import type { Run, ServerOperation, SiteOperation } from './run'
import type { Database } from './store'

/** lost: it is not known how the work ended, or how much of it was done or taken back. result: the run's JSON answer. aliases: that the site has got. */
export type RunEnd = { status: 'done' | 'failed'; lost?: true; result?: string; aliases?: readonly string[] }

type Statement = Prisma.PrismaPromise<unknown>

/** The statements for one transaction. */
export function endRun(db: Database, run: Run, end: RunEnd): Statement[] {
  const result = end.result === undefined ? {} : { result: end.result }
  const ended = db.run.update({ where: { id: run.id }, data: { state: end.status, endedAt: new Date(), ...result } })
  return [ended, ...endingOf(db, run, end)]
}

function endingOf(db: Database, run: Run, end: RunEnd): Statement[] {
  if (run.operation === null) return endUnknown(db, run)
  const { machineId, siteId, domain } = run
  const done = end.status === 'done'
  if (siteId === null) return serverEndings[run.operation](db, { machineId, done })
  return siteEndings[run.operation](db, { siteId, domain, done, lost: end.lost ?? false, aliases: end.aliases ?? [] })
}

/**
 * What a newer version began, whatever its end was: nothing is deleted or taken for finished, and nothing stays as if the work went on. What
 * was being made has failed, so it can be deleted or made again.
 */
function endUnknown(db: Database, { machineId, siteId }: Pick<Run, 'machineId' | 'siteId'>): Statement[] {
  if (siteId === null) return [db.machine.updateMany({ where: { id: machineId, state: 'installing' }, data: { state: 'failed' } })]
  const made = { state: 'creating' as const, OR: [{ id: siteId }, { stagingOf: siteId }] }
  return [
    db.site.updateMany({ where: made, data: { state: 'failed' } }),
    db.site.updateMany({ where: { id: siteId }, data: { deleting: false, checkedAt: null } }),
  ]
}

/** Only the server has what came of the work. */
const changesNothing = (): Statement[] => []

const serverEndings: Readonly<Record<ServerOperation, (db: Database, ended: { machineId: string; done: boolean }) => Statement[]>> = {
  'servers.install': (db, { machineId, done }) => [
    db.machine.update({ where: { id: machineId }, data: { state: done ? 'ready' : 'failed' } }),
  ],
  'servers.upgrade': changesNothing,
  'servers.revertUpgrade': changesNothing,
  'servers.applyUpdates': changesNothing,
}

/** domain: the name that the run was about. aliases: that the site has got. */
type EndedSiteRun = { siteId: string; domain: string; done: boolean; lost: boolean; aliases: readonly string[] }

const changeSite = (db: Database, { siteId: id }: EndedSiteRun, data: Prisma.SiteUpdateManyMutationInput): Statement[] => [
  db.site.updateMany({ where: { id }, data }),
]

const addAlias = (db: Database, { siteId }: EndedSiteRun, domain: string): Statement =>
  db.siteAlias.upsert({ where: { siteId_domain: { siteId, domain } }, create: { siteId, domain }, update: {} })

/** The next check reads from the server what is there now. */
const checkAgain = (db: Database, ended: EndedSiteRun) => changeSite(db, ended, { checkedAt: null })

/** One that was created again may have got aliases. */
const addAliases = (db: Database, ended: EndedSiteRun): Statement[] => [
  ...ended.aliases.map((alias) => addAlias(db, ended, alias)),
  ...checkAgain(db, ended),
]

/** A creation that fails leaves nothing on the server, and any other change that fails leaves the site as it was. */
const siteEndings: Readonly<Record<SiteOperation, (db: Database, ended: EndedSiteRun) => Statement[]>> = {
  'aliases.save'(db, ended) {
    return ended.done ? [addAlias(db, ended, ended.domain), ...checkAgain(db, ended)] : []
  },
  'aliases.delete'(db, ended) {
    const { siteId, domain } = ended
    return ended.done ? [db.siteAlias.deleteMany({ where: { siteId, domain } }), ...checkAgain(db, ended)] : []
  },
  'ssl.set': checkAgain,
  'apps.install': checkAgain,
  'apps.pull'(db, { siteId, done, lost }) {
    // What an earlier pull has left half made stays failed until a later one has made it again.
    if (done) return [db.site.updateMany({ where: { stagingOf: siteId }, data: { state: 'ready' } })]
    const begun = { stagingOf: siteId, state: 'creating' } as const
    return lost ? [db.site.updateMany({ where: begun, data: { state: 'failed' } })] : [db.site.deleteMany({ where: begun })]
  },
  'apps.push': checkAgain,
  'backups.create': checkAgain,
  'copies.make': changesNothing,
  'serverBackups.copy': changesNothing,
  'copies.prove': changesNothing,
  'backups.restore': addAliases,
  'copies.restore': addAliases,
  'sites.create'(db, ended) {
    if (ended.lost) return changeSite(db, ended, { state: 'failed' })
    if (!ended.done) return [db.site.deleteMany({ where: { id: ended.siteId } })]
    // One that is made of a backup may have got aliases.
    return [...ended.aliases.map((alias) => addAlias(db, ended, alias)), ...changeSite(db, ended, { state: 'ready' })]
  },
  'sites.configure': checkAgain,
  'sites.download': changesNothing,
  'email.set': changesNothing,
  'sites.delete'(db, ended) {
    const { siteId: id } = ended
    if (ended.lost) return changeSite(db, ended, { state: 'failed', deleting: false })
    // Its staging copy goes with it.
    return ended.done ? [db.site.deleteMany({ where: { OR: [{ id }, { stagingOf: id }] } })] : changeSite(db, ended, { deleting: false })
  },
}
