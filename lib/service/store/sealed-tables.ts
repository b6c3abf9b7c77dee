/** All columns of the service with encrypted values in one shape, so that rotation and verification cover every one. */
import { isJsonObject } from '@/lib/contract/json'
import { findKekId } from '@/lib/sealing/envelope'
import type { SealedTable } from '@/lib/sealing/sealed-rows'
import { bindMachineKey } from './machines'
import { bindRunSecret } from './run-secrets'
import type { Database } from './store'

/** The name of each begins the sentence about a row that cannot be decrypted. */
export const sealedTables = (db: Database): readonly SealedTable[] => [privateKeys(db), passwords(db)]

const privateKeys = (db: Database): SealedTable => ({
  name: 'The SSH key of server',
  list: async ({ after, limit }) => {
    const rows = await db.machine.findMany({
      where: { id: { gt: after }, sealedKey: { not: null } },
      select: { id: true, accountId: true, sealedKey: true },
      orderBy: { id: 'asc' },
      take: limit,
    })
    return rows.flatMap(({ id, accountId, sealedKey }) =>
      sealedKey === null
        ? []
        : [
            {
              id,
              kekId: findKekId(sealedKey) ?? '',
              blob: sealedKey,
              aad: bindMachineKey({ id, accountId }),
              replace: async (blob) => {
                const { count } = await db.machine.updateMany({ where: { id, sealedKey }, data: { sealedKey: blob } })
                return count === 1
              },
            },
          ],
    )
  },
})

/** Passwords in the answers of jobs, which are deleted 15 minutes after the job's end. */
const passwords = (db: Database): SealedTable => ({
  name: 'The password of job',
  list: async ({ after, limit }) => {
    // Quotes within values are escaped, so that this finds the member only.
    const where = { id: { gt: after }, result: { contains: '"sealed":"' } }
    const rows = await db.run.findMany({ where, select: { id: true, result: true }, orderBy: { id: 'asc' }, take: limit })
    return rows.map(({ id, result }) => {
      const stored: unknown = JSON.parse(result ?? 'null')
      const answer = isJsonObject(stored) ? stored : {}
      const blob = Buffer.from(String(answer.sealed), 'base64')
      return {
        id,
        kekId: findKekId(blob) ?? '',
        blob,
        aad: bindRunSecret(id),
        replace: async (moved) => {
          const sealed = Buffer.from(moved).toString('base64')
          const { count } = await db.run.updateMany({ where: { id, result }, data: { result: JSON.stringify({ ...answer, sealed }) } })
          return count === 1
        },
      }
    })
  },
})
