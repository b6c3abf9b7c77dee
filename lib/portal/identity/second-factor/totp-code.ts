/** Accepts the code of an authenticator app, each code once. */
import 'server-only'
import { db } from '@/lib/portal/base/db'
import type { Prisma } from '@/prisma/generated/portal/client'
import { findStep } from './seed'

/** Without the spaces that people type in between; null if it is not six digits. */
function readCode(typed: string): string | null {
  const code = typed.replace(/\s/g, '')
  return /^[0-9]{6}$/.test(code) ? code : null
}

/** A right code: its row and time step. */
export type FoundCode = { userId: string; confirmed: boolean; secretVersion: number; step: number }

/** How long a seed waits for its first code. */
const unconfirmedMs = 15 * 60_000

/** Changes nothing; null for a wrong code. `confirmed`: whether the app must have been confirmed already; if not, its seed must be new. */
export async function findCode({ userId, confirmed }: Pick<FoundCode, 'userId' | 'confirmed'>, typed: string): Promise<FoundCode | null> {
  const code = readCode(typed)
  const state = confirmed ? { confirmedAt: { not: null } } : { confirmedAt: null, createdAt: { gt: new Date(Date.now() - unconfirmedMs) } }
  const row = code === null ? null : await db().totp.findFirst({ where: { userId, ...state } })
  if (code === null || row === null) return null
  const step = await findStep(row, code, Date.now())
  return step === null ? null : { userId, confirmed, secretVersion: row.secretVersion, step }
}

/**
 * True for exactly one of several simultaneous calls: the step of the last accepted code is stored, and that step and earlier ones are
 * refused. `also`: set in the same statement.
 */
export async function takeCode(
  { userId, confirmed, secretVersion, step }: FoundCode,
  { client = db(), also = {} }: { client?: Prisma.TransactionClient; also?: Prisma.TotpUpdateManyMutationInput } = {},
): Promise<boolean> {
  // The version too: the seed may have been replaced since it was read.
  const where = { userId, confirmedAt: confirmed ? { not: null } : null, secretVersion, lastStep: { lt: step } }
  const { count } = await client.totp.updateMany({ where, data: { ...also, lastStep: step } })
  return count === 1
}
