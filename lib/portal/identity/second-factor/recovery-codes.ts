/** Recovery codes: ten of 80 random bits each, used instead of the second factor, each once. Only their hashes are stored. */
import 'server-only'
import { createHash } from 'node:crypto'
import { Secret } from 'otpauth'
import { db } from '@/lib/portal/base/db'
import type { Prisma } from '@/prisma/generated/portal/client'

const codeCount = 10
const codeBytes = 10
const shape = /^[A-Z2-7]{16}$/

/** 80 random bits need no slow hash. */
const hashCode = (userId: string, code: string): string => createHash('sha256').update(`${userId}\n${code}`).digest('hex')

/** Replaces all codes of a user, used or not. Returns the new ones, as they are shown: ABCD-EFGH-IJKL-MNOP. */
export async function replaceCodes(userId: string, client: Prisma.TransactionClient): Promise<string[]> {
  const codes = Array.from({ length: codeCount }, () => new Secret({ size: codeBytes }).base32)
  await client.recoveryCode.deleteMany({ where: { userId } })
  await client.recoveryCode.createMany({ data: codes.map((code) => ({ userId, codeHash: hashCode(userId, code) })) })
  return codes.map((code) => code.replace(/(.{4})(?=.)/g, '$1-'))
}

/** New codes with a user's first second factor; with further ones none, because the codes of the first stay. */
export const codesForFirst = async (userId: string, client: Prisma.TransactionClient): Promise<string[]> =>
  (await client.recoveryCode.count({ where: { userId } })) > 0 ? [] : replaceCodes(userId, client)

/** How many of a user's codes are unused. */
export const countCodes = (userId: string): Promise<number> => db().recoveryCode.count({ where: { userId, usedAt: null } })

/** Uses a code: true for exactly one caller. Spaces, dashes and lower case do not matter. */
export async function takeRecoveryCode(userId: string, typed: string): Promise<boolean> {
  const code = typed.replace(/[\s-]/g, '').toUpperCase()
  if (!shape.test(code)) return false
  const where = { userId, codeHash: hashCode(userId, code), usedAt: null }
  const { count } = await db().recoveryCode.updateMany({ where, data: { usedAt: new Date() } })
  return count === 1
}
