/** The service's store: the database and the keys that decrypt its values. */
import type { PrismaClient } from '@/prisma/generated/service/client'
import type { Ring } from './ring'

export type Database = PrismaClient

export type Store = { db: Database; ring: Ring }
