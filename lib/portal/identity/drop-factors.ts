/** Removes how an account signs in besides its password: passkeys, the authenticator app and its recovery codes. */
import 'server-only'
import type { Prisma } from '@/prisma/generated/portal/client'

export async function dropFactors(userId: string, tx: Prisma.TransactionClient): Promise<void> {
  await tx.passkey.deleteMany({ where: { userId } })
  await tx.totp.deleteMany({ where: { userId } })
  await tx.recoveryCode.deleteMany({ where: { userId } })
}
