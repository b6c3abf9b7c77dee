/** What changes with the end of a run: the run itself, and the server or site that it was about. */
import type { Prisma, Run } from '@/prisma/generated/service/client'
import type { Database } from './store'

/** lost: it is not known how the work ended, or how much of it was done or taken back. result: the run's JSON answer. aliases: that the site has got. */
export type RunEnd = { status: 'done' | 'failed'; lost?: true; result?: string; aliases?: readonly string[] }

type Statement = Prisma.PrismaPromise<unknown>

/** The statements for one transaction. */
export function endRun(db: Database, run: Run, end: RunEnd): Statement[] {
  const { id, operation, machineId, siteId, domain } = run
  const result = end.result === undefined ? {} : { result: end.result }
  const done = end.status === 'done'
  return [
    db.run.update({ where: { id }, data: { state: end.status, endedAt: new Date(), ...result } }),
    ...(siteId === null
      ? (serverEndings[operation]?.(db, { machineId, done }) ?? [])
      : (siteEndings[operation]?.(db, { siteId, domain, done, lost: end.lost ?? false, aliases: end.aliases ?? [] }) ?? [])),
  ]
}

/** By operation. Bringing a server up to date changes nothing that the service stores. */
const serverEndings: Readonly<Record<string, (db: Database, ended: { machineId: string; done: boolean }) => Statement[]>> = {
  'servers.install': (db, { machineId, done }) => [
    db.machine.update({ where: { id: machineId }, data: { state: done ? 'ready' : 'failed' } }),
  ],
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

/**
 * By operation; with others, only the server has what came of them. A creation that fails leaves nothing on the server, and any other change
 * that fails leaves the site as it was.
 */
const siteEndings: Readonly<Record<string, (db: Database, ended: EndedSiteRun) => Statement[]>> = {
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
    // What an earlier pull has left half made stays failed until a later one has made it anew.
    if (done) return [db.site.updateMany({ where: { stagingOf: siteId }, data: { state: 'ready' } })]
    const begun = { stagingOf: siteId, state: 'creating' } as const
    return lost ? [db.site.updateMany({ where: begun, data: { state: 'failed' } })] : [db.site.deleteMany({ where: begun })]
  },
  'apps.push': checkAgain,
  'backups.restore': (db, ended) => [...ended.aliases.map((alias) => addAlias(db, ended, alias)), ...checkAgain(db, ended)],
  'sites.create'(db, ended) {
    if (ended.lost) return changeSite(db, ended, { state: 'failed' })
    if (!ended.done) return [db.site.deleteMany({ where: { id: ended.siteId } })]
    // One that is made of a backup may have got aliases.
    return [...ended.aliases.map((alias) => addAlias(db, ended, alias)), ...changeSite(db, ended, { state: 'ready' })]
  },
  'sites.delete'(db, ended) {
    const { siteId: id } = ended
    if (ended.lost) return changeSite(db, ended, { state: 'failed', deleting: false })
    // Its staging copy goes with it.
    return ended.done ? [db.site.deleteMany({ where: { OR: [{ id }, { stagingOf: id }] } })] : changeSite(db, ended, { deleting: false })
  },
}
