/** All columns with encrypted values in one shape, so that rotation and verification cover every one. */
import 'server-only'
import { db } from '@/lib/portal/base/db'
import type { SealedRow, SealedTable } from '@/lib/sealing/sealed-rows'
import {
  bindArchive,
  bindBackupRepository,
  bindBackupTarget,
  bindChannel,
  bindConnection,
  bindFormerConnection,
  bindHeld,
  bindJobCredentials,
  bindSecret,
  bindTotp,
  bindUndo,
} from './binding'
import { currentRing } from './ring'

type Page = Parameters<SealedTable['list']>[0]

const query = ({ after, limit }: Page) => ({
  where: { id: { gt: after } },
  orderBy: { id: 'asc' as const },
  take: limit,
})

const connections: SealedTable = {
  name: 'Connection',
  list: async (page) => {
    const rows = await db().connection.findMany(query(page))
    const bind = (await currentRing()).format === 1 ? bindFormerConnection : bindConnection
    return rows.map(({ id, kekId, rev, sealedKey, ...row }) => ({
      id,
      kekId,
      blob: sealedKey,
      aad: bind({ id, ...row }),
      replace: async (blob, to) => {
        const { count } = await db().connection.updateMany({ where: { id, kekId, rev }, data: { sealedKey: blob, kekId: to } })
        return count === 1
      },
    }))
  },
}

const secrets: SealedTable = {
  name: 'SealedSecret',
  list: async (page) => {
    const rows = await db().sealedSecret.findMany(query(page))
    return rows.map((row) => ({
      id: row.id,
      kekId: row.kekId,
      blob: row.sealed,
      aad: bindSecret(row),
      replace: async (blob, to) => {
        const where = { id: row.id, kekId: row.kekId, secretVersion: row.secretVersion }
        const { count } = await db().sealedSecret.updateMany({ where, data: { sealed: blob, kekId: to } })
        return count === 1
      },
    }))
  },
}

/** Used undos no longer contain a secret. */
const undos: SealedTable = {
  name: 'Undo',
  list: async (page) => {
    const { where, ...rest } = query(page)
    const rows = await db().undo.findMany({ ...rest, where: { AND: [where, { kekId: { not: null } }] } })
    return rows.flatMap(({ id, kekId, sealed, ...row }) => {
      if (kekId === null || sealed === null) return []
      const replace: SealedRow['replace'] = async (blob, to) => {
        const { count } = await db().undo.updateMany({ where: { id, kekId }, data: { sealed: blob, kekId: to } })
        return count === 1
      }
      return [{ id, kekId, blob: sealed, aad: bindUndo({ id, ...row }), replace }]
    })
  },
}

/** Those that ended contain nothing sealed. */
const heldRequests: SealedTable = {
  name: 'HeldRequest',
  list: async (page) => {
    const { where, ...rest } = query(page)
    const rows = await db().heldRequest.findMany({ ...rest, where: { AND: [where, { kekId: { not: null } }] } })
    return rows.flatMap(({ kekId, sealed, ...row }) => {
      if (kekId === null || sealed === null) return []
      const replace: SealedRow['replace'] = async (blob, to) => {
        const { id, state } = row
        const { count } = await db().heldRequest.updateMany({ where: { id, kekId, state }, data: { sealed: blob, kekId: to } })
        return count === 1
      }
      return [{ id: row.id, kekId, blob: sealed, aad: bindHeld(row), replace }]
    })
  },
}

/** Each user has at most one, so the user's id identifies the row. */
const totps: SealedTable = {
  name: 'Totp',
  list: async ({ after, limit }) => {
    const rows = await db().totp.findMany({ where: { userId: { gt: after } }, orderBy: { userId: 'asc' }, take: limit })
    return rows.map(({ userId, kekId, secretVersion, sealed }) => ({
      id: userId,
      kekId,
      blob: sealed,
      aad: bindTotp({ userId, secretVersion }),
      replace: async (blob, to) => {
        const { count } = await db().totp.updateMany({ where: { userId, kekId, secretVersion }, data: { sealed: blob, kekId: to } })
        return count === 1
      },
    }))
  },
}

const channels: SealedTable = {
  name: 'Channel',
  list: async (page) => {
    const rows = await db().channel.findMany(query(page))
    return rows.map((row) => ({
      id: row.id,
      kekId: row.kekId,
      blob: row.sealed,
      aad: bindChannel(row),
      replace: async (blob, to) => {
        const where = { id: row.id, kekId: row.kekId, secretVersion: row.secretVersion }
        const { count } = await db().channel.updateMany({ where, data: { sealed: blob, kekId: to } })
        return count === 1
      },
    }))
  },
}

const backupTargets: SealedTable = {
  name: 'BackupTarget',
  list: async (page) => {
    const rows = await db().backupTarget.findMany(query(page))
    return rows.map((row) => ({
      id: row.id,
      kekId: row.kekId,
      blob: row.sealed,
      aad: bindBackupTarget(row),
      replace: async (blob, to) => {
        const where = { id: row.id, kekId: row.kekId, secretVersion: row.secretVersion }
        const { count } = await db().backupTarget.updateMany({ where, data: { sealed: blob, kekId: to } })
        return count === 1
      },
    }))
  },
}

/** A password is never replaced. */
const backupRepositories: SealedTable = {
  name: 'BackupRepository',
  list: async (page) => {
    const rows = await db().backupRepository.findMany(query(page))
    return rows.map((row) => ({
      id: row.id,
      kekId: row.kekId,
      blob: row.sealed,
      aad: bindBackupRepository(row),
      replace: async (blob, to) => {
        const { count } = await db().backupRepository.updateMany({
          where: { id: row.id, kekId: row.kekId },
          data: { sealed: blob, kekId: to },
        })
        return count === 1
      },
    }))
  },
}

const jobCredentials: SealedTable = {
  name: 'JobCredentials',
  list: async (page) => {
    const rows = await db().jobCredentials.findMany(query(page))
    return rows.map(({ id, userId, kekId, sealed, expiresAt }) => ({
      id,
      kekId,
      blob: sealed,
      aad: bindJobCredentials({ id, userId }),
      replace: async (blob, to) => {
        // Newer ones have another time.
        const { count } = await db().jobCredentials.updateMany({ where: { id, kekId, expiresAt }, data: { sealed: blob, kekId: to } })
        return count === 1
      },
    }))
  },
}

const archives: SealedTable = {
  name: 'PreparedArchive',
  list: async (page) => {
    const rows = await db().preparedArchive.findMany(query(page))
    return rows.map((row) => ({
      id: row.id,
      kekId: row.kekId,
      blob: row.sealed,
      aad: bindArchive(row),
      replace: async (blob, to) => {
        const where = { id: row.id, kekId: row.kekId, preparedAt: row.preparedAt }
        const { count } = await db().preparedArchive.updateMany({ where, data: { sealed: blob, kekId: to } })
        return count === 1
      },
    }))
  },
}

export const sealedTables: readonly SealedTable[] = [
  connections,
  secrets,
  undos,
  heldRequests,
  totps,
  channels,
  backupTargets,
  backupRepositories,
  jobCredentials,
  archives,
]
