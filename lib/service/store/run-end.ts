/** What changes with the end of a run: the run itself, and the server or site that it was about. */
import type { Prisma, Run } from '@/prisma/generated/service/client'
import type { Database } from './store'

/** lost: it is not known how the work ended, or how much of it was done or taken back. result: the run's JSON answer. */
export type RunEnd = { status: 'done' | 'failed'; lost?: true; result?: string }

type Statement = Prisma.PrismaPromise<unknown>

/** The statements for one transaction. */
export function endRun(db: Database, run: Run, end: RunEnd): Statement[] {
  const result = end.result === undefined ? {} : { result: end.result }
  return [
    db.run.update({ where: { id: run.id }, data: { state: end.status, endedAt: new Date(), ...result } }),
    ...(run.siteId === null ? [endInstall(db, run, end)] : endSiteRun(db, run, run.siteId, end)),
  ]
}

const endInstall = (db: Database, { machineId }: Run, { status }: RunEnd): Statement =>
  db.machine.update({ where: { id: machineId }, data: { state: status === 'done' ? 'ready' : 'failed' } })

/** A creation that fails leaves nothing on the server, and any other change that fails leaves the site as it was. */
function endSiteRun(db: Database, { operation, domain }: Run, id: string, { status, lost }: RunEnd): Statement[] {
  const done = status === 'done'
  const change = (data: Prisma.SiteUpdateManyMutationInput) => [db.site.updateMany({ where: { id }, data })]
  const alias = { siteId: id, domain }
  switch (operation) {
    case 'aliases.save':
      // The next check looks the new name up.
      return done
        ? [db.siteAlias.upsert({ where: { siteId_domain: alias }, create: alias, update: {} }), ...change({ checkedAt: null })]
        : []
    case 'aliases.delete':
      return done ? [db.siteAlias.deleteMany({ where: alias }), ...change({ checkedAt: null })] : []
    case 'ssl.set':
      // The next check reads from the server what is on.
      return change({ checkedAt: null })
    case 'apps.install':
      // The next check measures what the site uses now.
      return change({ checkedAt: null })
    case 'sites.configure':
    case 'email.set':
    case 'sites.download':
    case 'backups.create':
      // Only the server has what came of it.
      return []
    case 'apps.pull': {
      // What an earlier pull has left half made stays failed until a later one has made it anew.
      if (done) return [db.site.updateMany({ where: { stagingOf: id }, data: { state: 'ready' } })]
      const begun = { stagingOf: id, state: 'creating' } as const
      return lost ? [db.site.updateMany({ where: begun, data: { state: 'failed' } })] : [db.site.deleteMany({ where: begun })]
    }
    case 'apps.push':
    case 'backups.restore':
      // The next check tells whether the site answers.
      return change({ checkedAt: null })
    case 'sites.create':
      if (lost) return change({ state: 'failed' })
      return done ? change({ state: 'ready' }) : [db.site.deleteMany({ where: { id } })]
    default:
      if (lost) return change({ state: 'failed', deleting: false })
      // Its staging copy goes with it.
      return done ? [db.site.deleteMany({ where: { OR: [{ id }, { stagingOf: id }] } })] : change({ deleting: false })
  }
}
