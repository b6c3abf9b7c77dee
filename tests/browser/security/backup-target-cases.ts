/** The fields of actions on backup targets, with what they need. */
import { randomBytes } from 'node:crypto'
import { db } from '@/lib/portal/base/db'
import { sealBackupTarget } from '@/lib/portal/custody/backup-target'
import { writeAddress } from '@/lib/portal/subjects/backup-targets/address'
import { codeOfKit } from '@/lib/portal/subjects/backup-targets/kit'
import { ensureRepository } from '@/lib/portal/subjects/backup-targets/repository'
import { type BucketServer, startBucketServer } from '../../support/bucket-server'
import type { Case, Fields } from './case'
import type { Estate } from './estate'

let started: Promise<BucketServer> | undefined

/** One for all cases; it ends with the process. */
const findBucket = (): Promise<BucketServer> => {
  started ??= startBucketServer()
  return started
}

/** Neither a team nor a member has many, and a name is taken once, so that of the role before is removed first. */
async function newTarget(keeper: 'team' | 'own'): Promise<Fields> {
  const { fields } = await findBucket()
  await db().backupTarget.deleteMany({ where: { label: fields.label ?? '' } })
  return { ...fields, keeper }
}

/** A target of the team, or the member's own, whose keys work. */
export async function freshTarget({ teams: { ours } }: Estate, ownerId: string | null = null): Promise<Fields> {
  const { fields } = await findBucket()
  const of = (name: string) => fields[name] ?? ''
  const key = (name: string) => ({ accessKeyId: of(`${name}Id`), secretAccessKey: of(`${name}Secret`) })
  const address = writeAddress({ kind: 's3', endpoint: of('endpoint'), region: of('region'), bucket: of('bucket'), folder: of('folder') })
  const id = randomBytes(16).toString('base64url')
  const identity = { id, teamId: ours.id, ownerId, kind: 's3', address, secretVersion: 1 } as const
  const sealed = await sealBackupTarget(identity, { server: key('serverKey'), maintenance: key('maintenanceKey') })
  const label = `Target ${id.slice(0, 8)}`
  await db().backupTarget.create({ data: { ...identity, label, checkedAt: new Date(), ...sealed } })
  return { ...fields, targetId: id, label: `New ${id.slice(0, 8)}`, confirmName: label }
}

async function targetWithCopies(estate: Estate, ownerId: string | null = null): Promise<Fields> {
  const fields = await freshTarget(estate, ownerId)
  const target = await db().backupTarget.findUniqueOrThrow({ where: { id: fields.targetId ?? '' } })
  const repository = await ensureRepository(target, { id: randomBytes(16).toString('base64url'), name: 'web-1' })
  return { ...fields, code: codeOfKit(target, [repository]) }
}

type PlaceKind = 'team' | 'server' | 'site'

const placeFields = ({ serverId, siteId }: Estate, place: PlaceKind): Fields => ({
  place,
  placeId: { team: '', server: serverId, site: siteId }[place],
})

async function newPlan(estate: Estate, place: PlaceKind): Promise<Fields> {
  const { targetId = '' } = await freshTarget(estate)
  return { ...placeFields(estate, place), targetId, hour: '6', timeZone: 'Europe/Berlin', limitKb: '500' }
}

/** A schedule of the server, which is not there any more after the role before. */
async function freshPlan(estate: Estate): Promise<Fields> {
  const { serverId, owner, teams } = estate
  const place = `server ${serverId}`
  const row = { teamId: teams.ours.id, serverId, excluded: true, hour: 0, timeZone: 'UTC', setById: owner.userId, setAt: new Date() }
  await db().backupPlan.upsert({ where: { place }, create: { id: randomBytes(16).toString('base64url'), place, ...row }, update: row })
  return placeFields(estate, 'server')
}

export const backupTargetCases: Record<string, Case> = {
  'addBackupTarget (of the team)': { from: 'admin', fields: () => newTarget('team') },
  'addBackupTarget (their own)': { from: 'operator', fields: () => newTarget('own') },
  testBackupTarget: { from: 'admin', fields: (estate) => freshTarget(estate) },
  'testBackupTarget (their own)': { from: 'operator', fields: (estate, { userId }) => freshTarget(estate, userId) },
  downloadKit: { from: 'admin', fields: (estate) => targetWithCopies(estate) },
  'downloadKit (their own)': { from: 'operator', fields: (estate, { userId }) => targetWithCopies(estate, userId) },
  confirmKit: { from: 'admin', fields: (estate) => targetWithCopies(estate) },
  renameBackupTarget: { from: 'admin', fields: (estate) => freshTarget(estate) },
  replaceBackupTargetKeys: { from: 'admin', fields: (estate) => freshTarget(estate) },
  'replaceBackupTargetKeys (their own)': { from: 'operator', fields: (estate, { userId }) => freshTarget(estate, userId) },
  removeBackupTarget: { from: 'admin', fields: (estate) => freshTarget(estate) },
  'removeBackupTarget (their own)': { from: 'operator', fields: (estate, { userId }) => freshTarget(estate, userId) },
  'setBackupPlan (of the team)': { from: 'admin', fields: (estate) => newPlan(estate, 'team') },
  'setBackupPlan (of a server)': { from: 'operator', fields: (estate) => newPlan(estate, 'server') },
  excludeFromPlans: { from: 'operator', fields: (estate) => placeFields(estate, 'server') },
  removeBackupPlan: { from: 'operator', fields: freshPlan },
}
