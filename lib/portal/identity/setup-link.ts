/** The one-time link that creates the first owner. It exists only while there is no owner. */
import 'server-only'
import { db } from '@/lib/portal/base/db'
import type { Prisma } from '@/prisma/generated/portal/client'
import { createLink, findLink } from './one-time-link'

/** Call it within a transaction if the answer must still hold when it is used. */
export async function ownerExists(client: Prisma.TransactionClient = db()): Promise<boolean> {
  return (await client.membership.count({ where: { role: 'owner' } })) > 0
}

/** Creates the set-up link and returns its URL; replaces an earlier unused one. Null if there is an owner. */
export async function createSetupLink(): Promise<string | null> {
  return (await ownerExists()) ? null : createLink('setup', null)
}

/** For the set-up page: whether this token is still valid. Changes nothing. */
export async function isSetupOpen(token: unknown): Promise<boolean> {
  return (await findLink('setup', token)) !== null && !(await ownerExists())
}
